import * as tf from "@tensorflow/tfjs-core";
import type { Optimizer, OptimizerStrategy } from "../../algorithms/index.js";
import type { NAdamOptions } from "./optimizerOptions.js";
import { RuledOptimizer, type UpdateRule } from "./ruledOptimizer.js";
import { runningMean } from "./runningMean.js";

/**
 * Adam with Nesterov momentum (Dozat 2016) as PyTorch's `NAdam` defines it, at step t with
 * u(t) = b1 * (1 - 0.96^(t * momentum_decay) / 2) and P(t) = u(1) * ... * u(t):
 * m = b1 * m + (1 - b1) * g; v = b2 * v + (1 - b2) * g^2;
 * w = w - rate * ((1 - u(t)) / (1 - P(t)) * g + u(t + 1) / (1 - P(t + 1)) * m) / (sqrt(v / (1 - b2^t)) + eps).
 */
export class NAdamStrategy implements OptimizerStrategy {
  readonly #options: NAdamOptions;

  constructor(options: NAdamOptions) {
    this.#options = options;
  }

  createOptimizer(): Optimizer {
    const { lr, weight_decay, decoupled_weight_decay, betas } = this.#options;
    const decay = decoupled_weight_decay ? "weights" : "gradient";
    return new RuledOptimizer({ lr, weight_decay, decay, momentum: betas[0] }, ruleOf(this.#options));
  }
}

function ruleOf({ betas, eps, momentum_decay }: NAdamOptions): UpdateRule {
  const beta2 = betas[1];
  let done = 0;
  let product = 1;
  return ({ learningRate, step, momentum: beta1 }) => {
    const momentumAt = (at: number) => beta1 * (1 - 0.96 ** (at * momentum_decay) / 2);
    // Steps that were made elsewhere, of which only their number is known.
    if (done !== step - 1) [done, product] = [0, 1];
    while (done < step) product *= momentumAt(++done);
    const ahead = momentumAt(step + 1);
    const ofGradient = (learningRate * (1 - momentumAt(step))) / (1 - product);
    const ofMean = (learningRate * ahead) / (1 - product * ahead);
    return ({ gradient, before, keep }) => {
      const mean = keep("mean", runningMean(before("mean"), gradient, beta1));
      const square = keep("square", runningMean(before("square"), tf.square(gradient), beta2));
      const root = tf.add(tf.sqrt(tf.div(square, 1 - beta2 ** step)), eps);
      return tf.div(tf.add(tf.mul(gradient, ofGradient), tf.mul(mean, ofMean)), root);
    };
  };
}
