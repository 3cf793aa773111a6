import * as tf from "@tensorflow/tfjs-core";
import type { Optimizer, OptimizerStrategy } from "../../algorithms/index.js";
import type { AdagradOptions } from "./optimizerOptions.js";
import { RuledOptimizer, type UpdateRule } from "./ruledOptimizer.js";

/**
 * Adagrad (Duchi, Hazan and Singer 2011) as PyTorch defines it, at step t: s = s + g^2, which begins at
 * `initial_accumulator_value`; w = w - rate / (1 + (t - 1) * lr_decay) * g / (sqrt(s) + eps).
 */
export class AdagradStrategy implements OptimizerStrategy {
  readonly #options: AdagradOptions;

  constructor(options: AdagradOptions) {
    this.#options = options;
  }

  createOptimizer(): Optimizer {
    return new RuledOptimizer(this.#options, ruleOf(this.#options));
  }
}

function ruleOf({ lr_decay, initial_accumulator_value, eps }: AdagradOptions): UpdateRule {
  return ({ learningRate, step }) => {
    const rate = learningRate / (1 + (step - 1) * lr_decay);
    return ({ gradient, before, keep }) => {
      const sum = keep("sum", tf.add(before("sum", initial_accumulator_value), tf.square(gradient)));
      return tf.mul(tf.div(gradient, tf.add(tf.sqrt(sum), eps)), rate);
    };
  };
}
