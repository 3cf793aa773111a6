import * as tf from "@tensorflow/tfjs-core";
import type { LossStrategy } from "../../algorithms/index.js";
import { ElenchusError } from "../../base/index.js";
import type { TrainingContext } from "../../context/index.js";
import type { Model } from "../../models/index.js";
import type { L2Options } from "./lossOptions.js";

/** `weight` times the sum of the squares of every trained weight, as Plato's strategy of that name: a term of a sum. */
export class L2Regularization implements LossStrategy {
  readonly #weight: number;

  constructor({ weight }: L2Options) {
    this.#weight = weight;
  }

  /** @throws CAPABILITY_MISSING where the context has no model */
  computeLoss(_outputs: tf.Tensor, _labels: tf.Tensor, { model }: TrainingContext): tf.Scalar {
    const variables = (model as Partial<Model> | undefined)?.variables;
    if (variables === undefined) {
      throw new ElenchusError(
        "CAPABILITY_MISSING",
        "L2Regularization needs the weights, but the training context has no model. Train with a trainer that puts one there.",
      );
    }
    const squares = [...variables.values()].map((variable) => tf.sum(tf.square(variable)));
    const sum = squares.length === 0 ? tf.scalar(0) : squares.reduce((one, other) => tf.add(one, other));
    return tf.mul(sum, this.#weight);
  }
}
