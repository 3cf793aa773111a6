import * as tf from "@tensorflow/tfjs-core";

/** share * mean + (1 - share) * value. */
export function runningMean(mean: tf.Tensor, value: tf.Tensor, share: number): tf.Tensor {
  return tf.add(tf.mul(mean, share), tf.mul(value, 1 - share));
}
