export { type RegressionErrors, regressionErrors, regressionMetrics } from "./errors.js";
export { RegressionEvaluator } from "./regressionEvaluator.js";
