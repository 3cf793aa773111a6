import type { FastifyInstance } from "fastify";
import type { ServiceContext } from "../serviceContext.js";
import { addBatchRoutes } from "./batches.js";
import { addBenchmarkRoutes } from "./benchmarks.js";
import { addDatasetRoutes } from "./datasets.js";
import { addFileRoutes } from "./files.js";
import { addInferenceRoutes } from "./inference.js";
import { addJobRoutes } from "./jobs.js";
import { addRunRoutes } from "./runs.js";
import { addScoringRoutes } from "./scoring.js";
import { addDefinitionRoutes } from "./seedDatasets.js";
import { addTaskRoutes } from "./seedEvals.js";

/** All groups of routes. */
export function addRoutes(app: FastifyInstance, context: ServiceContext): void {
  addBatchRoutes(app, context);
  addBenchmarkRoutes(app, context);
  addDatasetRoutes(app, context);
  addFileRoutes(app, context);
  addInferenceRoutes(app, context);
  addJobRoutes(app, context);
  addRunRoutes(app, context);
  addScoringRoutes(app, context);
  addDefinitionRoutes(app, context);
  addTaskRoutes(app, context);
}
