export { type CoreScore, coreBaselines, coreScore } from "./core/coreMetric.js";
export { type CoreSpec, coreTask } from "./core/coreTask.js";
export { coreTasks } from "./core/coreTasks.js";
export { EXCERPT_SOURCES } from "./data/excerpts.js";
export { type RowForm, rowForms } from "./data/rowForms.js";
export { createRowLoader, type LoadedRows, type RowLoader, type RowOptions } from "./data/rowLoader.js";
export {
  BaseDataset,
  type DictSample,
  type OpenedRows,
  type PlacedSample,
  type RowLimit,
  type RowSource,
} from "./datasets/baseDataset.js";
export { CustomDataset } from "./datasets/customDataset.js";
export {
  customDatasetSchema,
  type DatasetDefinition,
  datasetDefinitionSchema,
  huggingfaceDatasetSchema,
} from "./datasets/datasetDefinition.js";
export { type DatasetSurroundings, datasetOf, definitionOfUri } from "./datasets/datasetOf.js";
export { type DatasetFactory, datasets, registerDataset } from "./datasets/datasets.js";
export type { DownloadLimits } from "./datasets/downloadTable.js";
export { HuggingfaceDataset } from "./datasets/huggingfaceDataset.js";
export type { FileAccess } from "./datasets/localFile.js";
export { type HostAddress, publicAddress, type Resolver } from "./datasets/publicAddress.js";
export { requireReachable } from "./datasets/requireReachable.js";
export { RowsDataset } from "./datasets/rowsDataset.js";
export { defineTask, type TaskDefinition } from "./defineTask.js";
export type { Gold, TaskDocument } from "./document.js";
export { isTaskFile, readTaskFile, taskFromDocument } from "./files/taskFile.js";
export { BaseGenerator } from "./generators/baseGenerator.js";
export { type GeneratorFactory, type GeneratorRequest, generators } from "./generators/generators.js";
export { type GenerationPace, InferenceGenerator } from "./generators/inferenceGenerator.js";
export { type SamplingParams, samplingParamsSchema, samplingSettings } from "./generators/samplingParams.js";
export { type TaskGroup, taskGroups } from "./groups.js";
export type { HarnessQuestion, HarnessSpec } from "./harness/harnessSpec.js";
export { harnessTask } from "./harness/harnessTask.js";
export { judgeOf, type ModelJudgesOptions, modelJudges, type OpenModel } from "./judges/index.js";
export type { LightevalRecord, LightevalSpec } from "./lighteval/lightevalSpec.js";
export { lightevalTask } from "./lighteval/lightevalTask.js";
export { choiceAccuracy } from "./metrics/choiceMetrics.js";
export type {
  AnswerTarget,
  ExpressionTarget,
  LatexTarget,
  LetterTarget,
} from "./metrics/extraction/answerTarget.js";
export {
  type ExtractiveMatchInit,
  extractiveMatch,
  formulaMatch,
  letterMatch,
  numberMatch,
} from "./metrics/extractiveMatch.js";
export { meanMetric } from "./metrics/meanMetric.js";
export type { Metric, SampleValue, TaskAnswers } from "./metrics/metric.js";
export { documentPerplexity, greedyAccuracy, textPerplexities } from "./metrics/perplexity.js";
export {
  bootstrapError,
  type ErrorOptions,
  meanError,
  pooledError,
} from "./metrics/standardError.js";
export { exactMatch, extractByPattern, trimmedMatch } from "./metrics/textMatch.js";
export {
  answerPrompts,
  type GeneratedResponses,
  type GenerateResponsesRequest,
  generateResponses,
  isBaseModel,
  promptOf,
  promptRequest,
  type QuestionForm,
  usualNewTokens,
} from "./mixeval/index.js";
export { checkEvalTask } from "./pipeline/checkEvalTask.js";
export { type EvalTask, type EvalTaskDocument, evalTaskSchema } from "./pipeline/evalTask.js";
export {
  evalTaskBenchmark,
  evalTaskLabels,
  parseEvalTask,
  requireOwnLabels,
} from "./pipeline/evalTaskNames.js";
export type { EvalTaskSurroundings } from "./pipeline/evalTaskSource.js";
export type {
  FailedRow,
  LabelledScorer,
  PipelineParts,
  PipelineProgress,
  PipelineResult,
  PipelineSurroundings,
  ScorerOutcome,
} from "./pipeline/pipeline.js";
export { runEvalTask } from "./pipeline/runEvalTask.js";
export { runPipeline } from "./pipeline/runPipeline.js";
export { FileStages } from "./pipeline/stages/fileStages.js";
export { MemoryStages } from "./pipeline/stages/memoryStages.js";
export type { Stage, StageRow, StageStore } from "./pipeline/stages/stageStore.js";
export { BaseGeneratorProcessor } from "./processors/baseProcessor.js";
export { createProcessor, type ProcessorEntry, processors } from "./processors/processors.js";
export { registerTask, tasks } from "./registry.js";
export type {
  ChoiceRequest,
  GenerateRequest,
  RollingRequest,
  SpanForm,
  SpanRequest,
  TaskRequest,
} from "./request.js";
export { type ChosenTask, type ChosenTasks, resolveTask } from "./resolveTask.js";
export { type GroupResult, groupResult } from "./run/groupResult.js";
export { errorKey, metricKey } from "./run/metricKey.js";
export { type ReasoningTags, THINK_TAGS } from "./run/reasoning.js";
export {
  type RunTasksOptions,
  runTask,
  runTasks,
  type SampleResult,
  type TaskResult,
  type TaskToRun,
} from "./run/runTasks.js";
export type {
  GenerationResponseSample,
  PostprocessedGeneration,
  PreprocessedSample,
  ScorerInputSample,
  TokenLogProbs,
} from "./samples.js";
export { type ShownRequest, showDocuments } from "./showTask.js";
export type { ChatForm, DocumentOptions, Task, TaskData, TaskRows } from "./task.js";
export { taskCatalog } from "./taskCatalog.js";
export { DIALECTS, parseTaskName, type TaskName } from "./taskName.js";
