import * as tf from "@tensorflow/tfjs-core";
import type { LossStrategy } from "../../algorithms/index.js";

/** Mean of the squared differences over all numbers, as PyTorch's `MSELoss`. */
export class MseLoss implements LossStrategy {
  /**
   * @param outputs shape [rows, 1] or [rows]
   * @param labels shape [rows]
   */
  computeLoss(outputs: tf.Tensor, labels: tf.Tensor): tf.Scalar {
    const targets = tf.reshape(tf.cast(labels, "float32"), outputs.shape);
    return tf.mean(tf.squaredDifference(outputs, targets));
  }
}
