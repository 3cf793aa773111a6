import type * as tf from "@tensorflow/tfjs-core";
import type { Optimizer, OptimizerMemory, OptimizerStrategy } from "../../algorithms/index.js";
import type { TrainingContext } from "../../context/index.js";
import type { Model } from "../../models/index.js";
import { joinedMemory, recallJoined } from "./optimizerMemory.js";

/** Weights that are trained in one way. */
export interface ParameterGroup {
  /** Whether a weight belongs to it, by name; the first group that wants it has it. */
  belongs(name: string): boolean;
  readonly optimizer: OptimizerStrategy;
}

/** Trains groups of weights each by an optimizer of its own, all with one learning rate: that of the first. */
export class ParameterGroups implements OptimizerStrategy {
  readonly #groups: readonly ParameterGroup[];

  constructor(groups: readonly ParameterGroup[]) {
    this.#groups = groups;
  }

  createOptimizer(model: Model, context: TrainingContext): Optimizer {
    return new GroupedOptimizer(
      this.#groups.map(({ belongs, optimizer }) => ({
        belongs,
        optimizer: optimizer.createOptimizer(model, context),
      })),
    );
  }
}

type OptimizedGroup = Pick<ParameterGroup, "belongs"> & { readonly optimizer: Optimizer };

class GroupedOptimizer implements Optimizer {
  readonly #groups: readonly OptimizedGroup[];

  constructor(groups: readonly OptimizedGroup[]) {
    this.#groups = groups;
  }

  get learningRate(): number {
    return this.#groups[0]!.optimizer.learningRate;
  }

  set learningRate(rate: number) {
    for (const { optimizer } of this.#groups) optimizer.learningRate = rate;
  }

  get momentum(): number | undefined {
    return this.#groups[0]!.optimizer.momentum;
  }

  set momentum(momentum: number) {
    for (const { optimizer } of this.#groups) optimizer.momentum = momentum;
  }

  step(variables: ReadonlyMap<string, tf.Variable>, gradients: ReadonlyMap<string, tf.Tensor>): void {
    const left = new Map(variables);
    for (const { belongs, optimizer } of this.#groups) {
      const own = new Map([...left].filter(([name]) => belongs(name)));
      for (const name of own.keys()) left.delete(name);
      optimizer.step(own, gradients);
    }
  }

  remembered(): OptimizerMemory {
    return joinedMemory(this.#groups.map(({ optimizer }) => optimizer));
  }

  recall(memory: OptimizerMemory): void {
    recallJoined(
      this.#groups.map(({ optimizer }) => optimizer),
      memory,
    );
  }

  dispose(): void {
    for (const { optimizer } of this.#groups) optimizer.dispose();
  }
}
