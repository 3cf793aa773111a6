export { NanochatCoreEvaluator } from "./nanochatCoreEvaluator.js";
