export { ServiceEvaluator } from "./serviceEvaluator.js";
