import * as tf from "@tensorflow/tfjs-core";
import { type AttentionOptions, attention, embedding, packedAttention } from "../../compute/fused/index.js";
import type { ForwardPass } from "./forwardPass.js";

/** How a layer attends. */
export interface AttentionSettings {
  /** Factor of the scores; usually 1 / sqrt(head size). */
  readonly scale: number;
  /** The most tokens that a query sees, the own one included; all before it when absent. */
  readonly window?: number | undefined;
  /** Share of the probabilities that training leaves out. */
  readonly dropout?: number;
}

/** What attention is made of: states of new tokens, [batch, length, heads, head size]. */
export interface HeadStates {
  readonly queries: tf.Tensor4D;
  /** Each head of the keys serves `heads / key heads` neighbouring heads of the queries. */
  readonly keys: tf.Tensor4D;
  readonly values: tf.Tensor4D;
}

/**
 * What the tokens attend to among themselves and those that the cache has. Layers must come in order.
 * @returns [batch * length, heads * head size]
 */
export function attend(
  pass: ForwardPass,
  { queries, keys, values }: HeadStates,
  settings: AttentionSettings,
): tf.Tensor2D {
  const all = pass.extend(keys, values);
  const options = optionsOf(pass, settings);
  const { branches } = pass;
  if (!branches) return attention(queries, all.keys, all.values, options);
  const { count, length } = branches;
  const mixed = attention(
    along(queries, branches.tokens, [count, length]),
    along(all.keys, branches.keys, [count, branches.keyPlaces.each]),
    along(all.values, branches.keys, [count, branches.keyPlaces.each]),
    options,
  );
  return rowsOf(mixed, branches.back);
}

/**
 * `attend` on states as one dense layer makes them, queries, keys and values side by side:
 * [batch * length, 3 * heads * head size].
 */
export function attendPacked(
  pass: ForwardPass,
  states: tf.Tensor2D,
  heads: number,
  settings: AttentionSettings,
): tf.Tensor2D {
  const sizes = [pass.batch, pass.length, heads] as const;
  if (!pass.cached) {
    const { branches } = pass;
    if (!branches) return packedAttention(states, sizes, optionsOf(pass, settings));
    const paths = rowsOf(states, branches.tokens);
    const alone = [branches.count, branches.length, heads] as const;
    return rowsOf(packedAttention(paths, alone, optionsOf(pass, settings)), branches.back);
  }
  // As rows of a third of the width, queries, keys and values are every third one.
  const thirds = tf.reshape(states, [3 * states.shape[0], -1]) as tf.Tensor2D;
  const [queries, keys, values] = [0, 1, 2].map((part) => {
    const rows = Int32Array.from({ length: states.shape[0] }, (_, token) => 3 * token + part);
    return splitHeads(pass, rowsOf(thirds, rows), heads);
  }) as [tf.Tensor4D, tf.Tensor4D, tf.Tensor4D];
  return attend(pass, { queries, keys, values }, settings);
}

/** [batch, length, heads, size] of [batch * length, heads * size]; nothing moves. */
export function splitHeads(pass: ForwardPass, states: tf.Tensor2D, heads: number): tf.Tensor4D {
  return tf.reshape(states, [pass.batch, pass.length, heads, -1]);
}

/** Heads of tokens, [batch, length, heads, size], as [...sizes, heads, size] of some of them. */
function along(states: tf.Tensor4D, tokens: Int32Array, sizes: readonly [number, number]): tf.Tensor4D {
  const [batch, length, heads, size] = states.shape;
  const flat = tf.reshape(states, [batch * length, heads * size]) as tf.Tensor2D;
  return tf.reshape(rowsOf(flat, tokens), [...sizes, heads, size]);
}

function rowsOf(states: tf.Tensor2D, rows: Int32Array): tf.Tensor2D {
  return embedding(states, tf.tensor1d(rows, "int32"));
}

function optionsOf(pass: ForwardPass, { scale, window, dropout = 0 }: AttentionSettings): AttentionOptions {
  const thins = pass.training && dropout > 0;
  const thin = thins ? (probabilities: tf.Tensor4D) => pass.dropout(probabilities, dropout) : undefined;
  return { sight: pass.sight(window), scale, thin };
}
