import * as tf from "@tensorflow/tfjs-core";
import type { LossStrategy } from "../../algorithms/index.js";
import { ElenchusError } from "../../base/index.js";
import type { NegativeLogLikelihoodOptions } from "./lossOptions.js";

/** How far a row's probabilities may be from 1 in all: of 32-bit numbers, over many classes. */
const ROUNDING = 1e-2;

/**
 * Mean of -outputs[label] over the rows, each counting by the weight of its label's class, as PyTorch's `NLLLoss`. The
 * model gives log-probabilities.
 */
export class NegativeLogLikelihoodLoss implements LossStrategy {
  readonly #weight: number[] | undefined;
  #looked = false;

  constructor({ weight }: NegativeLogLikelihoodOptions = {}) {
    this.#weight = weight;
  }

  onTrainStart(): void {
    this.#looked = false;
  }

  /**
   * @param outputs log-probabilities, shape [rows, classes]
   * @param labels class indices, int32 [rows]
   * @throws CAPABILITY_MISSING for a model that gives something else, looked at in the first batch;
   *   CONFIG_INVALID for another number of weights than of classes
   */
  computeLoss(outputs: tf.Tensor, labels: tf.Tensor): tf.Scalar {
    const [rows = 0, classes = 0] = outputs.shape;
    if (!this.#looked) checkLogProbabilities(outputs);
    this.#looked = true;
    const right = tf.cast(tf.oneHot(tf.reshape(labels, [rows]) as tf.Tensor1D, classes), "float32");
    const counted = this.#weight === undefined ? right : tf.mul(right, weightsOf(this.#weight, classes));
    return tf.div(tf.neg(tf.sum(tf.mul(outputs, counted))), tf.sum(counted));
  }
}

function weightsOf(weight: number[], classes: number): tf.Tensor {
  if (weight.length === classes) return tf.tensor1d(weight);
  throw new ElenchusError(
    "CONFIG_INVALID",
    `parameters.loss_criterion.weight has ${weight.length} numbers, but the model has ${classes} outputs. Give one for each.`,
  );
}

function checkLogProbabilities(outputs: tf.Tensor): void {
  const totals = tf.tidy(() => tf.sum(tf.exp(outputs), -1).dataSync());
  const off = totals.findIndex((total) => !(Math.abs(total - 1) <= ROUNDING));
  if (off < 0 || Number.isNaN(totals[off])) return;
  throw new ElenchusError(
    "CAPABILITY_MISSING",
    `NLLLoss takes log-probabilities, but the model's outputs for row ${off} make ${totals[off]!.toPrecision(3)} in all, not 1. Set trainer.loss_criterion = "CrossEntropyLoss" for a model that gives logits, or end the model with log_softmax.`,
  );
}
