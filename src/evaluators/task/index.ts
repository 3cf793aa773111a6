export { TaskEvaluator } from "./taskEvaluator.js";
