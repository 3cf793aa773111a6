import * as tf from "@tensorflow/tfjs-core";
import type { LossStrategy } from "../../algorithms/index.js";
import type { TrainingContext } from "../../context/index.js";

/** A term of a sum of losses. */
export interface LossTerm {
  readonly loss: LossStrategy;
  readonly weight: number;
}

/** The sum of several losses, each times its weight. */
export class CompositeLoss implements LossStrategy {
  readonly #terms: readonly LossTerm[];

  constructor(terms: readonly LossTerm[]) {
    this.#terms = terms;
  }

  async setup(context: TrainingContext): Promise<void> {
    for (const { loss } of this.#terms) await loss.setup?.(context);
  }

  onTrainStart(context: TrainingContext): void {
    for (const { loss } of this.#terms) loss.onTrainStart?.(context);
  }

  computeLoss(outputs: tf.Tensor, labels: tf.Tensor, context: TrainingContext): tf.Scalar {
    return this.#terms
      .map(({ loss, weight }) => tf.mul(loss.computeLoss(outputs, labels, context), weight))
      .reduce((one, other) => tf.add(one, other)) as tf.Scalar;
  }

  async teardown(context: TrainingContext): Promise<void> {
    for (const { loss } of this.#terms) await loss.teardown?.(context);
  }
}
