import * as tf from "@tensorflow/tfjs-core";
import type { Optimizer } from "../../algorithms/index.js";
import { Slots } from "./slots.js";
import type { AdamOptions } from "./strategyOptions.js";

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
  readonly #options: AdamOptions;
  readonly #decay: Decay;
  readonly #slots = new Slots();
  #steps = 0;

  constructor(options: AdamOptions, decay: Decay) {
    this.learningRate = options.lr;
    this.#options = options;
    this.#decay = decay;
  }

  step(variables: ReadonlyMap<string, tf.Variable>, gradients: ReadonlyMap<string, tf.Tensor>): void {
    const { betas, eps, weight_decay } = this.#options;
    const [beta1, beta2] = betas;
    this.#steps++;
    const root = Math.sqrt(1 - beta2 ** this.#steps);
    const rate = (this.learningRate * root) / (1 - beta1 ** this.#steps);
    tf.tidy(() => {
      for (const [name, variable] of variables) {
        const given = gradients.get(name);
        if (!given) continue;
        const throughGradient = weight_decay !== 0 && this.#decay === "gradient";
        const gradient = throughGradient ? tf.add(given, tf.mul(variable, weight_decay)) : given;
        const mean = this.#moment("mean", name, gradient, beta1);
        const square = this.#moment("square", name, tf.square(gradient), beta2);
        const change = tf.mul(tf.div(mean, tf.add(tf.sqrt(square), eps * root)), rate);
        const apart = weight_decay !== 0 && this.#decay === "weights";
        const weights = apart ? tf.mul(variable, 1 - this.learningRate * weight_decay) : variable;
        variable.assign(tf.sub(weights, change));
      }
    });
  }

  dispose(): void {
    this.#slots.dispose();
  }

  /** beta * moment + (1 - beta) * value, kept for the next step. */
  #moment(kind: string, name: string, value: tf.Tensor, beta: number): tf.Tensor {
    const fresh = tf.mul(value, 1 - beta);
    const before = this.#slots.get(kind, name);
    const moment = before ? tf.add(tf.mul(before, beta), fresh) : fresh;
    this.#slots.set(kind, name, moment);
    return moment;
  }
}
