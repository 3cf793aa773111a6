export { BitsPerByteEvaluation } from "./bitsPerByteEvaluation.js";
export { checkEvaluationClass, type EvaluationClass } from "./checkEvaluationClass.js";
export { EncodingEvaluation } from "./encodingEvaluation.js";
export { Evaluation, type MeasureRequest } from "./evaluation.js";
export { type Inference, type InferenceOptions, inferenceOf } from "./inference.js";
export { type Comparison, PerplexityComparisonEvaluation } from "./perplexityComparisonEvaluation.js";
export { PerplexityEvaluation } from "./perplexityEvaluation.js";
export { type EvaluationRegistration, evaluation, evaluations } from "./registry.js";
export { RolloutEvaluation } from "./rolloutEvaluation.js";
export type { RowMeasure } from "./rowMeasure.js";
export type { RowSample } from "./rowSample.js";
export {
  measureShard,
  type RunEvaluationOptions,
  runEvaluation,
  type ShardRequest,
} from "./runEvaluation.js";
export { type EvaluationSettings, evaluationSettings, settingsSchema } from "./settings.js";
export { type MeasuredBatch, mergeShards, type Shard } from "./shards.js";
export { type EvaluationReport, tally } from "./tally.js";
