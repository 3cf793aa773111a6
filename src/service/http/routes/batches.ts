import type { FastifyInstance } from "fastify";
import { batchRoutes } from "../../../api/index.js";
import { answer } from "../answer.js";
import { cursorList } from "../cursorList.js";
import type { ServiceContext } from "../serviceContext.js";

/** Batches of requests in files. */
export function addBatchRoutes(app: FastifyInstance, { batches }: ServiceContext): void {
  answer(app, batchRoutes.create, async ({ body }) => batches.create(body));
  answer(app, batchRoutes.list, async ({ query }) =>
    cursorList(await batches.list({ limit: query.limit, ...(query.after && { after: query.after }) })),
  );
  answer(app, batchRoutes.get, async ({ params }) => batches.get(params.batch_id));
  answer(app, batchRoutes.cancel, async ({ params }) => batches.cancel(params.batch_id));
}
