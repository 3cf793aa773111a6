export { type CoreScore, coreBaselines, coreScore } from "./core/coreMetric.js";
export { type CoreSpec, coreTask } from "./core/coreTask.js";
export { coreTasks } from "./core/coreTasks.js";
export { type RowForm, rowForms } from "./data/rowForms.js";
export { createRowLoader, type LoadedRows, type RowLoader, type RowOptions } from "./data/rowLoader.js";
export { defineTask, type TaskDefinition } from "./defineTask.js";
export type { Gold, TaskDocument } from "./document.js";
export {
  judgeOf,
  type ModelJudgesOptions,
  modelJudges,
  type OpenedModel,
  type OpenModel,
  openModel,
} from "./judges/index.js";
export { isTaskFile, readTaskFile, taskFromDocument } from "./files/taskFile.js";
export { type TaskGroup, taskGroups } from "./groups.js";
export type { HarnessQuestion, HarnessSpec } from "./harness/harnessSpec.js";
export { harnessTask } from "./harness/harnessTask.js";
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
export { type ShownRequest, showDocuments } from "./showTask.js";
export type { ChatForm, DocumentOptions, Task, TaskData, TaskRows } from "./task.js";
export { taskCatalog } from "./taskCatalog.js";
export { DIALECTS, parseTaskName, type TaskName } from "./taskName.js";
