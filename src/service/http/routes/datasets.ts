import type { FastifyInstance } from "fastify";
import { type Dataset, datasetRoutes } from "../../../api/index.js";
import type { DatasetDocument } from "../../datasets/datasetDocument.js";
import { datasetReply, SHOWN_ROWS } from "../../datasets/datasetReplies.js";
import { answer } from "../answer.js";
import type { ServiceContext } from "../serviceContext.js";

/** Llama Stack's data sets. */
export function addDatasetRoutes(app: FastifyInstance, { datasets, settings }: ServiceContext): void {
  const replyOf = async (document: DatasetDocument): Promise<Dataset> => {
    const { definition, identifier } = document;
    const shown = definition.type === "rows" ? (await datasets.page(identifier, 0, SHOWN_ROWS)).rows : [];
    return datasetReply(document, shown);
  };

  answer(app, datasetRoutes.register, async ({ body }) => replyOf(await datasets.register(body)));
  answer(app, datasetRoutes.list, async () => {
    const data: Dataset[] = [];
    for (const document of await datasets.list()) data.push(await replyOf(document));
    return { data };
  });
  answer(app, datasetRoutes.get, async ({ params }) => replyOf(await datasets.get(params.dataset_id)));
  answer(app, datasetRoutes.remove, async ({ params }) => {
    await datasets.remove(params.dataset_id);
    return undefined;
  });
  answer(app, datasetRoutes.rows, async ({ params, query, signal, request }) => {
    const most = settings.service.max_request_rows;
    const asked = query.limit ?? -1;
    const limit = asked < 0 ? most : Math.min(asked, most);
    const { rows, more } = await datasets.page(params.dataset_id, query.start_index ?? 0, limit, signal);
    return { data: rows, has_more: more, url: request.url.split("?")[0] ?? null };
  });
  answer(app, datasetRoutes.append, async ({ params, body }) => {
    await datasets.append(params.dataset_id, body.rows);
    return undefined;
  });
}
