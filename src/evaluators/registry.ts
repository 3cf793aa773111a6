import { ClassificationEvaluator } from "./classification/index.js";
import { createEvaluatorRegistry, type EvaluatorRegistry } from "./evaluatorRegistry.js";
import { RegressionEvaluator } from "./regression/index.js";

/**
 * One registry per process, even where this package is loaded twice: a `.ts` program in a folder without
 * `"type": "module"` is loaded as CommonJS, and would otherwise register in a copy that nobody asks.
 */
const SHARED = Symbol.for("elenchus.evaluators.registry/1");
const shared = globalThis as { [SHARED]?: EvaluatorRegistry };
shared[SHARED] ??= withBuiltIns();

/** The evaluators that `[evaluation] type` can name, the built-in ones among them. */
export const registry: EvaluatorRegistry = shared[SHARED];

function withBuiltIns(): EvaluatorRegistry {
  const filled = createEvaluatorRegistry();
  filled.register("classification", ClassificationEvaluator);
  filled.register("regression", RegressionEvaluator);
  return filled;
}
