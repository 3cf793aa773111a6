import * as tf from "@tensorflow/tfjs-core";
import type { Optimizer, OptimizerStrategy } from "../../algorithms/index.js";
import type { RAdamOptions } from "./optimizerOptions.js";
import { RuledOptimizer, type UpdateRule } from "./ruledOptimizer.js";
import { runningMean } from "./runningMean.js";

/** Length of the mean of squares from which its variance can be rectified; PyTorch's number. */
const LONG_ENOUGH = 5;

/**
 * Adam with a rectified variance (Liu et al. 2020, arXiv:1908.03265) as PyTorch's `RAdam` defines it, at step t with
 * r = 2 / (1 - b2) - 1 and r(t) = r - 2 t b2^t / (1 - b2^t): m and v as Adam's; w = w - rate * m / (1 - b1^t) while
 * r(t) <= 5, then w = w - rate * m / (1 - b1^t) * sqrt(1 - b2^t) / (sqrt(v) + eps) *
 * sqrt((r(t) - 4) (r(t) - 2) r / ((r - 4) (r - 2) r(t))).
 */
export class RAdamStrategy implements OptimizerStrategy {
  readonly #options: RAdamOptions;

  constructor(options: RAdamOptions) {
    this.#options = options;
  }

  createOptimizer(): Optimizer {
    const { lr, weight_decay, decoupled_weight_decay, betas } = this.#options;
    const decay = decoupled_weight_decay ? "weights" : "gradient";
    return new RuledOptimizer({ lr, weight_decay, decay, momentum: betas[0] }, ruleOf(this.#options));
  }
}

function ruleOf({ betas, eps }: RAdamOptions): UpdateRule {
  const beta2 = betas[1];
  return ({ learningRate, step, momentum: beta1 }) => {
    const rate = learningRate / (1 - beta1 ** step);
    const rectified = rectification(beta2, step);
    return ({ gradient, before, keep }) => {
      const mean = keep("mean", runningMean(before("mean"), gradient, beta1));
      const square = keep("square", runningMean(before("square"), tf.square(gradient), beta2));
      if (rectified === undefined) return tf.mul(mean, rate);
      const root = tf.add(tf.sqrt(square), eps);
      return tf.div(tf.mul(mean, rate * rectified * Math.sqrt(1 - beta2 ** step)), root);
    };
  };
}

/** What the variance is rectified by; undefined while too little is known of it. */
function rectification(beta2: number, step: number): number | undefined {
  const limit = 2 / (1 - beta2) - 1;
  const length = limit - (2 * step * beta2 ** step) / (1 - beta2 ** step);
  if (length <= LONG_ENOUGH) return undefined;
  return Math.sqrt(((length - 4) * (length - 2) * limit) / ((limit - 4) * (limit - 2) * length));
}
