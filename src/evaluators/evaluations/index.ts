export { declaredEvaluations, EVALUATIONS, withDeclaredEvaluations } from "./declaredEvaluations.js";
export { EvaluationsEvaluator } from "./evaluationsEvaluator.js";
