import * as tf from "@tensorflow/tfjs-core";
import type { Optimizer, OptimizerMemory } from "../../algorithms/index.js";
import type { Decay } from "./adamMoments.js";
import { Slots } from "./slots.js";

/** One weight in one step, as a rule sees it. */
export interface WeightStep {
  /** With the weight's decay in it, where that goes through the gradient. */
  readonly gradient: tf.Tensor;
  /** What was kept under that name in the weight's last step; zeros before the first, or another number everywhere. */
  before(kind: string, atFirst?: number): tf.Tensor;
  /** Keeps a tensor under that name for the weight's next step. @returns it */
  keep(kind: string, value: tf.Tensor): tf.Tensor;
}

/** The numbers of one step, the same for all weights. */
export interface StepNumbers {
  readonly learningRate: number;
  /** From 1. */
  readonly step: number;
  /** `Optimizer.momentum`; 0 where a rule has none. */
  readonly momentum: number;
}

/** Says what is taken off a weight in one step. Called once in each; what it returns is called for every weight. */
export type UpdateRule = (numbers: StepNumbers) => (weight: WeightStep) => tf.Tensor;

/** What an optimizer by rule is made with. */
export interface RuledOptions {
  readonly lr: number;
  readonly weight_decay: number;
  /** How the decay enters. Default: through the gradient. */
  readonly decay?: Decay;
  /** Share of the last direction that is kept, where the rule has such a number. */
  readonly momentum?: number;
}

/**
 * An optimizer whose rule is one formula for every number of every weight: w = w - rule(g). The weight's decay d comes
 * first: g = gradient + d * w, or w = w * (1 - rate * d).
 */
export class RuledOptimizer implements Optimizer {
  learningRate: number;
  momentum?: number;
  readonly #rule: UpdateRule;
  readonly #options: RuledOptions;
  readonly #slots = new Slots();
  #steps = 0;

  constructor(options: RuledOptions, rule: UpdateRule) {
    this.learningRate = options.lr;
    if (options.momentum !== undefined) this.momentum = options.momentum;
    this.#options = options;
    this.#rule = rule;
  }

  step(variables: ReadonlyMap<string, tf.Variable>, gradients: ReadonlyMap<string, tf.Tensor>): void {
    const { weight_decay, decay = "gradient" } = this.#options;
    this.#steps++;
    const { learningRate, momentum = 0 } = this;
    const change = this.#rule({ learningRate, step: this.#steps, momentum });
    tf.tidy(() => {
      for (const [name, variable] of variables) {
        const own = gradients.get(name);
        if (!own) continue;
        const through = decay === "gradient" && weight_decay > 0;
        const gradient = through ? tf.add(own, tf.mul(variable, weight_decay)) : own;
        const apart = decay === "weights" && weight_decay > 0;
        const weight = apart ? tf.mul(variable, 1 - learningRate * weight_decay) : variable;
        variable.assign(tf.sub(weight, change(this.#weightStep(name, gradient))));
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

  #weightStep(name: string, gradient: tf.Tensor): WeightStep {
    return {
      gradient,
      before: (kind, atFirst = 0) => this.#slots.get(kind, name) ?? tf.fill(gradient.shape, atFirst),
      keep: (kind, value) => {
        this.#slots.set(kind, name, value);
        return value;
      },
    };
  }
}
