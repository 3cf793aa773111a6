import { onePerProcess } from "../base/index.js";
import { ClassificationEvaluator } from "./classification/index.js";
import { EVALUATIONS, EvaluationsEvaluator } from "./evaluations/index.js";
import { createEvaluatorRegistry, type EvaluatorRegistry } from "./evaluatorRegistry.js";
import { LanguageModelEvaluator } from "./languageModel/index.js";
import { LightevalEvaluator } from "./lighteval/index.js";
import { MixEvalEvaluator } from "./mixeval/index.js";
import { NanochatCoreEvaluator } from "./nanochatCore/index.js";
import { RegressionEvaluator } from "./regression/index.js";
import { ServiceEvaluator } from "./service/index.js";
import { TaskEvaluator } from "./task/index.js";

/** The evaluators that `[evaluation] type` can name, the built-in ones among them. */
export const registry: EvaluatorRegistry = onePerProcess("registry of evaluators", () => {
  const filled = createEvaluatorRegistry();
  filled.register("classification", ClassificationEvaluator);
  filled.register("regression", RegressionEvaluator);
  filled.register(EVALUATIONS, EvaluationsEvaluator);
  filled.register("language_model", LanguageModelEvaluator);
  filled.register("lighteval", LightevalEvaluator);
  filled.register("mixeval", MixEvalEvaluator);
  filled.register("nanochat_core", NanochatCoreEvaluator);
  filled.register("service", ServiceEvaluator);
  filled.register("task", TaskEvaluator);
  return filled;
});
