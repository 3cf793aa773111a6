import * as tf from "@tensorflow/tfjs-core";
import type { LossStrategy } from "../../algorithms/index.js";
import { targetsLike } from "./targetsLike.js";

/** Mean of the squared differences over all numbers, as PyTorch's `MSELoss`. */
export class MseLoss implements LossStrategy {
  /**
   * @param outputs shape [rows, outputs] or [rows]
   * @param labels numbers in the shape of the outputs, or [rows] of class indices: 1 at the class and 0 elsewhere
   * @throws DATA_INVALID for labels that fit neither
   */
  computeLoss(outputs: tf.Tensor, labels: tf.Tensor): tf.Scalar {
    return tf.mean(tf.squaredDifference(outputs, targetsLike(outputs, labels, "MSELoss")));
  }
}
