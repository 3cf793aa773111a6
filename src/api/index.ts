export type { Batch, BatchError, CreateBatch } from "./batches.js";
export { BATCH_ENDPOINTS } from "./batches.js";
export {
  type ChatCompletion,
  type ChatLogprobs,
  type ChatMessage,
  type ChatRequest,
  chatRequestSchema,
} from "./chat.js";
export { readEvents, type ServerEvent } from "./client/serverEvents.js";
export { type CallOptions, ServiceClient, type ServiceClientOptions } from "./client/serviceClient.js";
export {
  type Completion,
  type CompletionLogprobs,
  type CompletionRequest,
  completionRequestSchema,
  type Usage,
} from "./completions.js";
export { type DatasetDef, datasetDefSchema, type Outcome } from "./datasetDefinitions.js";
export {
  type DataSource,
  type Dataset,
  PURPOSES,
  type RegisterDataset,
  type RowPage,
} from "./datasets.js";
export { type ErrorFacts, type ErrorObject, errorObjectSchema } from "./errorObject.js";
export {
  type CreateJob,
  type EvalResult,
  type EvaluateDatasetConfig,
  type EvaluateScoringConfig,
  type EvaluateTaskConfig,
  evaluateDatasetConfigSchema,
  evaluateTaskConfigSchema,
  type JobOutcome,
  scoringConfigSchema,
} from "./evalTasks.js";
export {
  type Benchmark,
  type BenchmarkConfig,
  benchmarkConfigSchema,
  type Candidate,
  candidateSchema,
  type EvaluateResponse,
  type RegisterBenchmark,
  type SamplingParams,
  samplingParamsSchema,
} from "./evaluation.js";
export { FILE_PURPOSES, type StoredFile } from "./files.js";
export { type JobDetails, type JobReply, type LogLine, logLineSchema } from "./jobs.js";
export type { Row } from "./json.js";
export type { Model } from "./models.js";
export {
  type PathParams,
  type Route,
  type RouteInput,
  type RouteReply,
  type RouteScope,
  route,
} from "./route.js";
export { batchRoutes } from "./routes/batchRoutes.js";
export { benchmarkRoutes } from "./routes/benchmarkRoutes.js";
export { datasetRoutes } from "./routes/datasetRoutes.js";
export { inferenceRoutes } from "./routes/inferenceRoutes.js";
export { jobRoutes, runRoutes } from "./routes/runRoutes.js";
export { scoringRoutes } from "./routes/scoringRoutes.js";
export { seedRoutes } from "./routes/seedRoutes.js";
export type { ComparisonReply, Run, RunSummary, Samples } from "./runs.js";
export {
  type RegisterScoringFn,
  type ScoringFn,
  type ScoringFunctions,
  type ScoringParams,
  type ScoringResult,
  scoringFunctionsSchema,
} from "./scoring.js";
