export type { EvaluatingTrainer, EvaluationInput, Predictions } from "./evaluationInput.js";
export {
  EVALUATION_STATUSES,
  type EvaluationOutcome,
  type EvaluationPayload,
  type EvaluationStatus,
  type MetricSum,
} from "./evaluationOutcome.js";
