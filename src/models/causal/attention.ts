import * as tf from "@tensorflow/tfjs-core";
import { type AttentionOptions, attention, packedAttention, unpack } from "../../compute/fused/index.js";
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
  return attention(queries, all.keys, all.values, optionsOf(pass, settings));
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
  if (!pass.cached) return packedAttention(states, sizes, optionsOf(pass, settings));
  const [queries, keys, values] = unpack(states, sizes);
  return attend(pass, { queries, keys, values }, settings);
}

/** [batch, length, heads, size] of [batch * length, heads * size]; nothing moves. */
export function splitHeads(pass: ForwardPass, states: tf.Tensor2D, heads: number): tf.Tensor4D {
  return tf.reshape(states, [pass.batch, pass.length, heads, -1]);
}

function optionsOf(pass: ForwardPass, { scale, window, dropout = 0 }: AttentionSettings): AttentionOptions {
  const thins = pass.training && dropout > 0;
  // Places alone do not say what a token of a row that branches sees; the composed operation takes a mask.
  const composed = thins || pass.queries.parents !== undefined;
  const thin = composed ? (probabilities: tf.Tensor4D) => pass.dropout(probabilities, dropout) : undefined;
  return { sight: pass.sight(window), scale, thin };
}
