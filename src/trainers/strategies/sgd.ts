import * as tf from "@tensorflow/tfjs-core";
import type { Optimizer, OptimizerMemory, OptimizerStrategy } from "../../algorithms/index.js";
import type { SgdOptions } from "./optimizerOptions.js";
import { Slots } from "./slots.js";

/** Makes `Sgd` optimizers. */
export class SgdStrategy implements OptimizerStrategy {
  readonly #options: SgdOptions;

  constructor(options: SgdOptions) {
    this.#options = options;
  }

  createOptimizer(): Optimizer {
    return new Sgd(this.#options);
  }
}

/**
 * Stochastic gradient descent as PyTorch defines it (`torch.optim.SGD`):
 * g = gradient + decay * w; b = g at first, then momentum * b + (1 - dampening) * g;
 * w = w - rate * (nesterov ? g + momentum * b : b), and without momentum w = w - rate * g.
 */
class Sgd implements Optimizer {
  learningRate: number;
  momentum: number;
  readonly #options: SgdOptions;
  readonly #slots = new Slots();

  constructor(options: SgdOptions) {
    this.learningRate = options.lr;
    this.momentum = options.momentum;
    this.#options = options;
  }

  step(variables: ReadonlyMap<string, tf.Variable>, gradients: ReadonlyMap<string, tf.Tensor>): void {
    tf.tidy(() => {
      const rate = tf.scalar(this.learningRate);
      for (const [name, variable] of variables) {
        const gradient = gradients.get(name);
        if (gradient)
          variable.assign(tf.sub(variable, tf.mul(this.#direction(name, variable, gradient), rate)));
      }
    });
  }

  remembered(): OptimizerMemory {
    return { steps: 0, arrays: this.#slots.arrays() };
  }

  recall({ arrays }: OptimizerMemory): void {
    this.#slots.restore(arrays);
  }

  dispose(): void {
    this.#slots.dispose();
  }

  #direction(name: string, variable: tf.Variable, gradient: tf.Tensor): tf.Tensor {
    const { momentum } = this;
    const { dampening, nesterov, weight_decay } = this.#options;
    const decayed = weight_decay === 0 ? gradient : tf.add(gradient, tf.mul(variable, weight_decay));
    if (momentum === 0) return decayed;
    const before = this.#slots.get("momentum", name);
    const fresh = dampening === 0 ? decayed : tf.mul(decayed, 1 - dampening);
    const buffer = before ? tf.add(tf.mul(before, momentum), fresh) : tf.clone(decayed);
    this.#slots.set("momentum", name, buffer);
    return nesterov ? tf.add(decayed, tf.mul(buffer, momentum)) : buffer;
  }
}
