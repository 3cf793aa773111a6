export { TrainingContext, type TrainingContextInit } from "../context/index.js";
export type { Batch, Dataset } from "../data/index.js";
export { ClassificationEvaluator } from "./classification/index.js";
export {
  aggregateClients,
  type ClientMetrics,
  type ClientValue,
  type ClientValues,
} from "./clientMetrics.js";
export { ColumnClaims } from "./columns.js";
export { evaluateShard, type ShardOfEvaluator } from "./evaluateShard.js";
export type { EvaluationContext } from "./evaluationContext.js";
export type { EvaluatingTrainer, EvaluationInput, Predictions } from "./evaluationInput.js";
export {
  EVALUATION_STATUSES,
  type EvaluationOutcome,
  type EvaluationPayload,
  type EvaluationStatus,
  type MetricSum,
} from "./evaluationOutcome.js";
export { EvaluationResult, type EvaluationResultInit, type Named } from "./evaluationResult.js";
export {
  applyOutcomes,
  type DueRequest,
  dueEvaluations,
  dueOnClient,
  type EvaluationRound,
  evaluateRound,
} from "./evaluationRound.js";
export {
  clearEvaluationState,
  EVALUATION_STATE_KEYS,
  type EvaluationPrimary,
  recordedOutcomes,
} from "./evaluationState.js";
export {
  declaredEvaluations,
  EVALUATIONS,
  EvaluationsEvaluator,
  withDeclaredEvaluations,
} from "./evaluations/index.js";
export {
  COMMON_KEYS,
  type EvaluationTable,
  evaluationTables,
  type TableEntry,
  tableEntries,
} from "./evaluationTable.js";
export {
  type Evaluated,
  Evaluator,
  type EvaluatorConfig,
  type EvaluatorDeclarations,
  type EvaluatorLike,
  type EvaluatorPreparation,
  type HeededKey,
  type MetricDeclaration,
  type OptionsSchema,
  type ShardEvaluator,
} from "./evaluator.js";
export {
  createEvaluatorRegistry,
  type EvaluatorClass,
  type EvaluatorEntry,
  type EvaluatorFactory,
  type EvaluatorFunction,
  type EvaluatorRegistry,
} from "./evaluatorRegistry.js";
export { LanguageModelEvaluator } from "./languageModel/index.js";
export { LightevalEvaluator, presetCatalog } from "./lighteval/index.js";
export { NanochatCoreEvaluator } from "./nanochatCore/index.js";
export { EvaluationPending, EvaluationSkipped } from "./notEvaluated.js";
export { failedOutcome, failureLine, strictFailure } from "./outcomes.js";
export { prepareEvaluators } from "./prepareEvaluators.js";
export { registry } from "./registry.js";
export { RegressionEvaluator } from "./regression/index.js";
export { type RequestedLanguageModel, requestedLanguageModel } from "./requestedLanguageModel.js";
export { type ConfiguredEvaluation, runConfiguredEvaluation } from "./runConfiguredEvaluation.js";
export type { RanEvaluator } from "./runEvaluator.js";
export { firstSample, type SampleOwner } from "./samples/firstSample.js";
export { LONGEST_TEXT, type LoggedSample, type SampleLine } from "./samples/loggedSample.js";
export type { SampleLog } from "./samples/sampleLog.js";
export { logTaskSamples, taskSample } from "./samples/taskSample.js";
export { ServiceEvaluator } from "./service/index.js";
export { TaskEvaluator } from "./task/index.js";
