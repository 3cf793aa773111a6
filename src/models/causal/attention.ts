import * as tf from "@tensorflow/tfjs-core";
import type { ForwardPass } from "./forwardPass.js";

/** What attention is made of. */
export interface AttentionInput {
  /** [batch, heads, length, head size] */
  readonly queries: tf.Tensor4D;
  /** [batch, key heads, slots, head size]; each serves `heads / key heads` neighbouring heads of the queries. */
  readonly keys: tf.Tensor4D;
  readonly values: tf.Tensor4D;
  /** From `ForwardPass.mask`. */
  readonly mask: tf.Tensor4D | undefined;
  /** Factor of the scores; usually 1 / sqrt(head size). */
  readonly scale: number;
  /** Share of the probabilities that training leaves out. */
  readonly dropout?: number;
}

/**
 * Softmax(scale * queries keys^T + mask) values (Vaswani et al. 2017), with grouped queries (Ainslie et al. 2023).
 * @returns [batch * length, heads * head size]
 */
export function attend(
  pass: ForwardPass,
  { queries, keys, values, mask, scale, dropout = 0 }: AttentionInput,
): tf.Tensor2D {
  const [batch, heads, length, size] = queries.shape;
  const [, keyHeads, slots] = keys.shape;
  // Heads that share keys lie one behind another: to the product they are more rows of one matrix.
  const rows = (heads / keyHeads) * length;
  const stacked = tf.reshape(tf.mul(queries, scale), [batch, keyHeads, rows, size]);
  let scores = tf.reshape(tf.matMul(stacked, keys, false, true), [batch, heads, length, slots]);
  if (mask) scores = tf.add(scores, mask);
  const probabilities = pass.dropout(tf.softmax(scores), dropout);
  const mixed = tf.matMul(tf.reshape(probabilities, [batch, keyHeads, rows, slots]), values);
  return joinHeads(tf.reshape(mixed, [batch, heads, length, size]));
}

/** [batch * length, heads * size] as [batch, heads, length, size]. */
export function splitHeads(pass: ForwardPass, states: tf.Tensor2D, heads: number): tf.Tensor4D {
  return tf.transpose(tf.reshape(states, [pass.batch, pass.length, heads, -1]), [0, 2, 1, 3]);
}

function joinHeads(states: tf.Tensor4D): tf.Tensor2D {
  const [batch, heads, length, size] = states.shape;
  return tf.reshape(tf.transpose(states, [0, 2, 1, 3]), [batch * length, heads * size]);
}
