import type { FastifyInstance } from "fastify";
import type { ServiceContext } from "../serviceContext.js";
import { addDatasetRoutes } from "./datasets.js";
import { addFileRoutes } from "./files.js";
import { addInferenceRoutes } from "./inference.js";
import { addRunRoutes } from "./runs.js";
import { addDefinitionRoutes } from "./seedDatasets.js";

/** All groups of routes. */
export function addRoutes(app: FastifyInstance, context: ServiceContext): void {
  addDatasetRoutes(app, context);
  addDefinitionRoutes(app, context);
  addFileRoutes(app, context);
  addInferenceRoutes(app, context);
  addRunRoutes(app, context);
}
