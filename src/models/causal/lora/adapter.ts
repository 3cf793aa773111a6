import * as tf from "@tensorflow/tfjs-core";
import type { ForwardPass } from "../forwardPass.js";

/** A low-rank adapter of a linear layer (Hu et al. 2021, arXiv:2106.09685), without its weights. */
export interface Adapter {
  readonly rank: number;
  /** Factor of its output. */
  readonly scaling: number;
  /** Share of its inputs that training leaves out. */
  readonly dropout: number;
}

/** Both lie as PyTorch's linear layers do, whatever the layer's own weight does. */
export interface AdapterWeights {
  /** [rank, inputs] */
  readonly a: tf.Tensor2D;
  /** [outputs, rank] */
  readonly b: tf.Tensor2D;
}

/** Names of A and B. */
export function adapterNames(layer: string): [a: string, b: string] {
  return [`${layer}.lora_A.weight`, `${layer}.lora_B.weight`];
}

/**
 * What the adapter adds to its layer: scaling * dropout(states) A^T B^T.
 * @param states [n, inputs]
 * @returns [n, outputs]
 */
export function adapted(
  states: tf.Tensor2D,
  { a, b }: AdapterWeights,
  { scaling, dropout }: Adapter,
  pass: ForwardPass,
): tf.Tensor2D {
  const narrow = tf.matMul(pass.dropout(states, dropout), a, false, true);
  // The narrow side is the cheap one to scale.
  return tf.matMul(tf.mul(narrow, scaling) as tf.Tensor2D, b, false, true);
}

/** What the adapter adds to its layer's weight: scaling * B A, [outputs, inputs]. */
export function mergedChange({ a, b }: AdapterWeights, { scaling }: Adapter): tf.Tensor2D {
  return tf.mul(tf.matMul(b, a) as tf.Tensor2D, scaling);
}
