export { MixEvalEvaluator } from "./mixEvalEvaluator.js";
