import * as tf from "@tensorflow/tfjs-core";
import type { Optimizer, OptimizerStrategy } from "../../algorithms/index.js";
import type { AdadeltaOptions } from "./optimizerOptions.js";
import { RuledOptimizer, type UpdateRule } from "./ruledOptimizer.js";
import { runningMean } from "./runningMean.js";

/**
 * Adadelta (Zeiler 2012, arXiv:1212.5701) as PyTorch defines it: v = rho * v + (1 - rho) * g^2;
 * d = sqrt(u + eps) / sqrt(v + eps) * g; u = rho * u + (1 - rho) * d^2; w = w - rate * d.
 */
export class AdadeltaStrategy implements OptimizerStrategy {
  readonly #options: AdadeltaOptions;

  constructor(options: AdadeltaOptions) {
    this.#options = options;
  }

  createOptimizer(): Optimizer {
    return new RuledOptimizer(this.#options, ruleOf(this.#options));
  }
}

function ruleOf({ rho, eps }: AdadeltaOptions): UpdateRule {
  return ({ learningRate }) =>
    ({ gradient, before, keep }) => {
      const square = keep("square", runningMean(before("square"), tf.square(gradient), rho));
      const moved = before("moved");
      const change = tf.mul(gradient, tf.div(tf.sqrt(tf.add(moved, eps)), tf.sqrt(tf.add(square, eps))));
      keep("moved", runningMean(moved, tf.square(change), rho));
      return tf.mul(change, learningRate);
    };
}
