import * as tf from "@tensorflow/tfjs-core";
import type { Optimizer, OptimizerStrategy } from "../../algorithms/index.js";
import type { RmsPropOptions } from "./optimizerOptions.js";
import { RuledOptimizer, type UpdateRule } from "./ruledOptimizer.js";
import { runningMean } from "./runningMean.js";

/**
 * RMSprop (Tieleman and Hinton 2012) as PyTorch defines it: v = alpha * v + (1 - alpha) * g^2; with `centered`
 * a = alpha * a + (1 - alpha) * g and v - a^2 in the place of v (Graves 2013, arXiv:1308.0850); d = g / (sqrt(v) + eps);
 * w = w - rate * d, or with momentum b = momentum * b + d; w = w - rate * b.
 */
export class RmsPropStrategy implements OptimizerStrategy {
  readonly #options: RmsPropOptions;

  constructor(options: RmsPropOptions) {
    this.#options = options;
  }

  createOptimizer(): Optimizer {
    return new RuledOptimizer(this.#options, ruleOf(this.#options));
  }
}

function ruleOf({ alpha, eps, centered }: RmsPropOptions): UpdateRule {
  return ({ learningRate, momentum }) =>
    ({ gradient, before, keep }) => {
      const square = keep("square", runningMean(before("square"), tf.square(gradient), alpha));
      let spread = square;
      if (centered) {
        const mean = keep("mean", runningMean(before("mean"), gradient, alpha));
        // Rounding may leave less than nothing.
        spread = tf.relu(tf.sub(square, tf.square(mean)));
      }
      const direction = tf.div(gradient, tf.add(tf.sqrt(spread), eps));
      if (momentum === 0) return tf.mul(direction, learningRate);
      const gathered = keep("momentum", tf.add(tf.mul(before("momentum"), momentum), direction));
      return tf.mul(gathered, learningRate);
    };
}
