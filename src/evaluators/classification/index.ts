export { ClassificationEvaluator } from "./classificationEvaluator.js";
export {
  type ClassCounts,
  type ConfusionMatrix,
  classCounts,
  classDetails,
  confusionMatrix,
  confusionMetrics,
  matrixRows,
} from "./confusion.js";
export { expectedCalibrationError, type LogitSums, logitSums } from "./probabilities.js";
