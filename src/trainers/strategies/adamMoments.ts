import * as tf from "@tensorflow/tfjs-core";
import type { Optimizer, OptimizerMemory } from "../../algorithms/index.js";
import { adamStep } from "../../compute/fused/index.js";
import type { AdamOptions } from "./optimizerOptions.js";
import { Slots } from "./slots.js";

/** How weight decay enters: into the gradient (Adam) or apart from it (AdamW). */
export type Decay = "gradient" | "weights";

/**
 * Adam (Kingma and Ba 2015, arXiv:1412.6980) as PyTorch defines it, at step t:
 * m = b1 * m + (1 - b1) * g; v = b2 * v + (1 - b2) * g^2;
 * w = w - rate / (1 - b1^t) * m / (sqrt(v / (1 - b2^t)) + eps).
 * Weight decay: g = gradient + decay * w, or (Loshchilov and Hutter 2019, arXiv:1711.05101)
 * w = w * (1 - rate * decay) before the step.
 *
 * The last line is computed with both sides of the quotient times sqrt(1 - b2^t), which saves a pass.
 */
export class AdamMoments implements Optimizer {
  learningRate: number;
  /** The first of `betas`. */
  momentum: number;
  readonly #options: AdamOptions;
  readonly #decay: Decay;
  readonly #slots = new Slots();
  #steps = 0;

  constructor(options: AdamOptions, decay: Decay) {
    this.learningRate = options.lr;
    this.momentum = options.betas[0];
    this.#options = options;
    this.#decay = decay;
  }

  step(variables: ReadonlyMap<string, tf.Variable>, gradients: ReadonlyMap<string, tf.Tensor>): void {
    const { betas, eps, weight_decay } = this.#options;
    const [beta1, beta2] = [this.momentum, betas[1]];
    this.#steps++;
    const root = Math.sqrt(1 - beta2 ** this.#steps);
    const rate = (this.learningRate * root) / (1 - beta1 ** this.#steps);
    const numbers = {
      beta1,
      beta2,
      rate,
      epsilon: eps * root,
      decay: this.#decay === "gradient" ? weight_decay : 0,
      keep: this.#decay === "weights" ? 1 - this.learningRate * weight_decay : 1,
    };
    tf.tidy(() => {
      for (const [name, variable] of variables) {
        const gradient = gradients.get(name);
        if (!gradient) continue;
        const [mean, square] = [this.#slots.get("mean", name), this.#slots.get("square", name)];
        const after = adamStep({ weights: variable, gradient, mean, square }, numbers);
        this.#slots.set("mean", name, after.mean);
        this.#slots.set("square", name, after.square);
        variable.assign(after.weights);
      }
    });
  }

  remembered(): OptimizerMemory {
    return { steps: this.#steps, arrays: this.#slots.arrays() };
  }

  recall({ steps, arrays }: OptimizerMemory): void {
    this.#steps = steps;
    this.#slots.restore(arrays);
  }

  dispose(): void {
    this.#slots.dispose();
  }
}
