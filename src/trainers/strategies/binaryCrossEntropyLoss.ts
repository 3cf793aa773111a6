import * as tf from "@tensorflow/tfjs-core";
import type { LossStrategy } from "../../algorithms/index.js";
import type { BinaryCrossEntropyOptions } from "./lossOptions.js";
import { targetsLike } from "./targetsLike.js";

/**
 * Binary cross-entropy of logits, a decision of its own for each output, as PyTorch's `BCEWithLogitsLoss`: the mean over
 * all outputs of -(p * y * log s(x) + (1 - y) * log(1 - s(x))) with the sigmoid s and `pos_weight` p.
 */
export class BinaryCrossEntropyLoss implements LossStrategy {
  readonly #positive: number | number[];

  constructor({ pos_weight }: BinaryCrossEntropyOptions = { pos_weight: 1 }) {
    this.#positive = pos_weight;
  }

  /**
   * @param outputs logits, shape [rows, outputs]
   * @param labels 0 and 1 in the shape of the outputs, or [rows] of class indices: 1 at the class and 0 elsewhere
   * @throws DATA_INVALID for labels that fit neither
   */
  computeLoss(outputs: tf.Tensor, labels: tf.Tensor): tf.Scalar {
    const targets = targetsLike(outputs, labels, "BCEWithLogitsLoss");
    const positive = tf.mul(targets, this.#positive as number | tf.TensorLike);
    return meanBinaryCrossEntropy(outputs, positive, tf.sub(1, targets)) as tf.Scalar;
  }
}

/**
 * One node on the tape: the gradient of its parts would be 0, not -1/2 or 1/2, at a logit of exactly 0, where max(x, 0)
 * and |x| have none.
 */
const meanBinaryCrossEntropy = tf.customGrad((given, positive, negative, save) => {
  const logits = given as tf.Tensor;
  const [yes, no] = [positive as tf.Tensor, negative as tf.Tensor];
  (save as tf.GradSaveFunc)([logits, yes, no]);
  const count = Math.max(logits.size, 1);
  const sum = tf.sum(tf.add(tf.mul(yes, softplus(tf.neg(logits))), tf.mul(no, softplus(logits))));
  return {
    value: tf.div(sum, count),
    gradFunc: (upstream, saved) => {
      const [x, ofYes, ofNo] = saved as [tf.Tensor, tf.Tensor, tf.Tensor];
      const slope = tf.sub(tf.mul(tf.sigmoid(x), tf.add(ofYes, ofNo)), ofYes);
      const scale = tf.div(upstream as tf.Tensor, count);
      return [tf.mul(slope, scale), tf.zerosLike(ofYes), tf.zerosLike(ofNo)];
    },
  };
});

/** log(1 + exp(x)), without an overflow. */
function softplus(x: tf.Tensor): tf.Tensor {
  return tf.add(tf.relu(x), tf.log(tf.add(tf.exp(tf.neg(tf.abs(x))), 1)));
}
