import type * as tf from "@tensorflow/tfjs-core";
import { normalise } from "../../compute/fused/index.js";

/** x / sqrt(mean(x^2) + epsilon) over the last axis, times the weight where there is one. */
export function rmsNorm<T extends tf.Tensor>(states: T, epsilon: number, weight?: tf.Tensor): T {
  return normalise(states, { epsilon, centred: false, weight });
}

/** (x - mean) / sqrt(variance + epsilon) over the last axis, times weight plus bias. */
export function layerNorm<T extends tf.Tensor>(
  states: T,
  epsilon: number,
  weight: tf.Tensor,
  bias: tf.Tensor,
): T {
  return normalise(states, { epsilon, centred: true, weight, bias });
}
