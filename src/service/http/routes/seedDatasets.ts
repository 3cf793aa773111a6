import type { FastifyInstance } from "fastify";
import { seedRoutes } from "../../../api/index.js";
import { datasetDefinition } from "../../datasets/datasetReplies.js";
import { answer } from "../answer.js";
import type { ServiceContext } from "../serviceContext.js";

/** Data sets by their definitions: the same as those under `/v1`. */
export function addDefinitionRoutes(app: FastifyInstance, { datasets }: ServiceContext): void {
  answer(app, seedRoutes.createDataset, async ({ body }) => {
    const { identifier } = await datasets.define(body.dataset_def);
    return success(`Dataset '${identifier}' registered`);
  });
  answer(app, seedRoutes.getDataset, async ({ query }) =>
    datasetDefinition(await datasets.get(query.dataset_identifier)),
  );
  answer(app, seedRoutes.deleteDataset, async ({ body }) => {
    await datasets.remove(body.dataset_identifier);
    return success(`Dataset '${body.dataset_identifier}' deleted`);
  });
  answer(app, seedRoutes.listDatasets, async () => (await datasets.list()).map(datasetDefinition));
}

function success(msg: string) {
  return { status: "success" as const, msg, error: null };
}
