import type { Optimizer, OptimizerStrategy } from "../../algorithms/index.js";
import { AdamMoments } from "./adamMoments.js";
import type { AdamOptions } from "./optimizerOptions.js";

/** Makes Adam optimizers: see `AdamMoments`. */
export class AdamStrategy implements OptimizerStrategy {
  readonly #options: AdamOptions;

  constructor(options: AdamOptions) {
    this.#options = options;
  }

  createOptimizer(): Optimizer {
    return new AdamMoments(this.#options, "gradient");
  }
}
