import * as tf from "@tensorflow/tfjs-core";
import type { Optimizer, OptimizerMemory, OptimizerStrategy } from "../../algorithms/index.js";
import type { Model } from "../../models/index.js";
import { AdamMoments } from "./adamMoments.js";
import { type AdamGroup, muonGroups } from "./muonGroups.js";
import type { MuonOptions } from "./muonOptions.js";
import { joinedMemory, recallJoined } from "./optimizerMemory.js";
import { orthogonalise } from "./orthogonalise.js";
import { Slots } from "./slots.js";

/** In front of the names of the matrices' own moments, which AdamW's do not begin with. */
const OWN = "matrices ";

/** Makes Muon optimizers for language models. */
export class MuonStrategy implements OptimizerStrategy {
  readonly choosesDecay = true;
  readonly #options: MuonOptions;

  constructor(options: MuonOptions) {
    this.#options = options;
  }

  /** @throws CAPABILITY_MISSING for a model without blocks */
  createOptimizer(model: Model): Muon {
    return new Muon(model, this.#options);
  }
}

/**
 * Muon (Jordan et al. 2024) as nanochat has it in July 2026. For a matrix W [outputs, inputs] of a block:
 * m = momentum * m + (1 - momentum) * g; u = (1 - momentum) * g + momentum * m (Nesterov); X = `orthogonalise(u)`;
 * each row of a tall matrix, or column of a wide one, is divided by the root of the running mean of its mean square,
 * and X gets its norm back (NorMuon, arXiv:2510.05491); rate = learning rate * sqrt(max(1, outputs / inputs));
 * W = W - rate * X - rate * decay * W wherever X W >= 0 ("cautious").
 *
 * All other weights are AdamW's, in groups of their own rates (`muonGroups`); these keep their proportion to
 * `learningRate` when a schedule changes it.
 */
export class Muon implements Optimizer {
  /** Of the matrices. */
  learningRate: number;
  momentum: number;
  /** What `weight_decay` is multiplied with. */
  decayFactor = 1;
  readonly #options: MuonOptions;
  /** Whether dense weights lie [inputs, outputs]. */
  readonly #flipped: boolean;
  readonly #matrices: ReadonlySet<string>;
  readonly #adam: readonly { group: AdamGroup; optimizer: AdamMoments }[];
  readonly #slots = new Slots();

  constructor(model: Model, options: MuonOptions) {
    const { matrices, adam } = muonGroups(model, options);
    this.learningRate = options.lr;
    this.momentum = options.momentum;
    this.#options = options;
    this.#flipped = model.denseLayout === "in-out";
    this.#matrices = matrices;
    this.#adam = adam.map((group) => ({ group, optimizer: new AdamMoments(group.options, "weights") }));
  }

  step(variables: ReadonlyMap<string, tf.Variable>, gradients: ReadonlyMap<string, tf.Tensor>): void {
    for (const name of this.#matrices) {
      const variable = variables.get(name);
      const gradient = gradients.get(name);
      if (variable && gradient) tf.tidy(() => this.#stepMatrix(name, variable, gradient as tf.Tensor2D));
    }
    const factor = this.learningRate / this.#options.lr;
    for (const { group, optimizer } of this.#adam) {
      optimizer.learningRate = group.options.lr * factor;
      optimizer.step(new Map([...variables].filter(([name]) => group.names.has(name))), gradients);
    }
  }

  remembered(): OptimizerMemory {
    const { steps, arrays } = joinedMemory(this.#adam.map(({ optimizer }) => optimizer));
    const own = [...this.#slots.arrays()].map(([name, array]) => [`${OWN}${name}`, array] as const);
    return { steps, arrays: new Map([...own, ...arrays]) };
  }

  recall(memory: OptimizerMemory): void {
    const own = [...memory.arrays].filter(([name]) => name.startsWith(OWN));
    this.#slots.restore(new Map(own.map(([name, array]) => [name.slice(OWN.length), array])));
    recallJoined(
      this.#adam.map(({ optimizer }) => optimizer),
      memory,
    );
  }

  dispose(): void {
    this.#slots.dispose();
    for (const { optimizer } of this.#adam) optimizer.dispose();
  }

  #stepMatrix(name: string, variable: tf.Variable, given: tf.Tensor2D): void {
    // Adapters lie [outputs, inputs] in every model.
    const flipped = this.#flipped && !name.includes(".lora_");
    const gradient: tf.Tensor2D = flipped ? tf.transpose(given) : given;
    const weights = (flipped ? tf.transpose(variable) : variable) as tf.Tensor2D;
    const [outputs, inputs] = gradient.shape;
    const mean = this.#mean("mean", name, gradient, this.momentum);
    const ahead = blend(gradient, mean, this.momentum);
    const step = this.#evened(name, orthogonalise(ahead, this.#options.ns_steps));
    const rate = this.learningRate * Math.sqrt(Math.max(1, outputs / inputs));
    const decay = this.#options.weight_decay * this.decayFactor;
    let change: tf.Tensor = step;
    if (decay !== 0) {
      const along = tf.cast(tf.greaterEqual(tf.mul(step, weights), 0), "float32");
      change = tf.add(step, tf.mul(tf.mul(weights, along), decay));
    }
    const changed = tf.sub(weights, tf.mul(change, rate));
    variable.assign(flipped ? tf.transpose(changed) : changed);
  }

  /** A step with rows, or columns, of even size over time, as long as it was. */
  #evened(name: string, step: tf.Tensor2D): tf.Tensor2D {
    const [outputs, inputs] = step.shape;
    const axis = outputs >= inputs ? 1 : 0;
    const size = step.shape[axis]!;
    const square = tf.mean(tf.square(step), axis, true);
    const usual = this.#mean("square", name, square, this.#options.beta2);
    const scale = tf.rsqrt(tf.maximum(usual, 1e-10));
    const before = tf.sqrt(tf.mul(tf.sum(square), size));
    const after = tf.sqrt(tf.sum(tf.mul(tf.mul(square, size), tf.square(scale))));
    return tf.mul(step, tf.mul(scale, tf.div(before, tf.maximum(after, 1e-10))));
  }

  /** decay * mean + (1 - decay) * value, from zero on, kept for the next step. */
  #mean<T extends tf.Tensor>(kind: string, name: string, value: T, decay: number): T {
    const before = this.#slots.get(kind, name);
    const mean = (before ? blend(value, before, decay) : tf.mul(value, 1 - decay)) as T;
    this.#slots.set(kind, name, mean);
    return mean;
  }
}

/** (1 - share) * one + share * other */
function blend<T extends tf.Tensor>(one: T, other: tf.Tensor, share: number): T {
  return tf.add(tf.mul(one, 1 - share), tf.mul(other, share)) as T;
}
