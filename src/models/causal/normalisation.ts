import * as tf from "@tensorflow/tfjs-core";

/**
 * x / sqrt(mean(x^2) + epsilon) over the last axis (Zhang and Sennrich 2019), times the weight where there is one.
 */
export function rmsNorm<T extends tf.Tensor>(states: T, epsilon: number, weight?: tf.Tensor): T {
  const meanSquare = tf.mean(tf.square(states), -1, true);
  const normed = tf.mul(states, tf.rsqrt(tf.add(meanSquare, epsilon)));
  return (weight ? tf.mul(normed, weight) : normed) as T;
}

/** (x - mean) / sqrt(variance + epsilon) over the last axis, times weight plus bias (Ba et al. 2016). */
export function layerNorm<T extends tf.Tensor>(
  states: T,
  epsilon: number,
  weight: tf.Tensor,
  bias: tf.Tensor,
): T {
  const centred = tf.sub(states, tf.mean(states, -1, true));
  const variance = tf.mean(tf.square(centred), -1, true);
  const normed = tf.mul(centred, tf.rsqrt(tf.add(variance, epsilon)));
  return tf.add(tf.mul(normed, weight), bias) as T;
}
