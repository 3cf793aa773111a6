import { tf } from "../tensorflow.js";
import { attendForward, type HeadLayout } from "./attentionKernels.js";
import { isFused, runFused } from "./fusedKernel.js";

/** Which keys a query sees: those whose place is not negative, at most its own, and within `window` of it. */
export interface Sight {
  /** int32 [1 or batch, length] */
  readonly queryPlaces: tf.Tensor2D;
  /** int32 [1 or batch, slots]; negative for padding. */
  readonly keyPlaces: tf.Tensor2D;
  /** The most places that are seen, the own one included. */
  readonly window: number;
  /** The same as numbers to be added to scores, [1 or batch, 1, length, slots]; undefined where all is seen. */
  readonly mask: () => tf.Tensor4D | undefined;
}

export interface AttentionOptions {
  readonly sight: Sight;
  /** Factor of the scores; usually 1 / sqrt(head size). */
  readonly scale: number;
  /** What training does to the probabilities, such as leaving some out. */
  readonly thin?: ((probabilities: tf.Tensor4D) => tf.Tensor4D) | undefined;
}

/**
 * Softmax(scale * queries keys^T) values over the keys that are seen (Vaswani et al. 2017, arXiv:1706.03762), with
 * grouped queries (Ainslie et al. 2023, arXiv:2305.13245). What a query gets that sees none means nothing, and is
 * finite. Fused, memory grows with the tokens and not with their square: gradients compute probabilities again.
 * @param queries [batch, length, heads, size]
 * @param keys as `values` [batch, slots, key heads, size]; each head serves `heads / key heads` neighbouring ones
 * @returns [batch * length, heads * size]
 */
export function attention(
  queries: tf.Tensor4D,
  keys: tf.Tensor4D,
  values: tf.Tensor4D,
  options: AttentionOptions,
): tf.Tensor2D {
  const [batch, length, heads, size] = queries.shape;
  if (options.thin || !isFused(attendForward.kernelName, queries, keys, values)) {
    return composed(queries, keys, values, options);
  }
  const layout = { packed: false, batch, length, heads, size, keyHeads: keys.shape[2] };
  return fused([queries, keys, values], layout, options);
}

/**
 * `attention` where queries, keys and values of a token lie side by side, as one dense layer makes them: nothing is
 * taken apart.
 * @param states [batch * length, 3 * heads * size]
 * @returns [batch * length, heads * size]
 */
export function packedAttention(
  states: tf.Tensor2D,
  [batch, length, heads]: readonly [number, number, number],
  options: AttentionOptions,
): tf.Tensor2D {
  const size = states.shape[1] / (3 * heads);
  if (options.thin || !isFused(attendForward.kernelName, states)) {
    const [queries, keys, values] = unpack(states, [batch, length, heads]);
    return composed(queries, keys, values, options);
  }
  const layout = { packed: true, batch, length, heads, size, keyHeads: heads };
  return fused([states], layout, options);
}

/** Queries, keys and values of packed states, each [batch, length, heads, size]. */
function unpack(
  states: tf.Tensor2D,
  [batch, length, heads]: readonly [number, number, number],
): [queries: tf.Tensor4D, keys: tf.Tensor4D, values: tf.Tensor4D] {
  const parts = tf.split(states, 3, 1);
  return parts.map((part) => tf.reshape(part, [batch, length, heads, -1])) as ReturnType<typeof unpack>;
}

function fused(
  states: readonly tf.Tensor[],
  layout: HeadLayout,
  { sight, scale }: AttentionOptions,
): tf.Tensor2D {
  const { queryPlaces, keyPlaces } = sight;
  const window = Math.min(sight.window, 2 ** 31 - 1);
  const attributes = { ...layout, scale, window };
  return runFused(
    attendForward.kernelName,
    [...states, queryPlaces, keyPlaces],
    attributes,
  )[0] as tf.Tensor2D;
}

function composed(
  queries: tf.Tensor4D,
  keys: tf.Tensor4D,
  values: tf.Tensor4D,
  { sight, scale, thin = (probabilities) => probabilities }: AttentionOptions,
): tf.Tensor2D {
  const [batch, length, heads, size] = queries.shape;
  const [, slots, keyHeads] = keys.shape;
  const headsFirst = (states: tf.Tensor4D) => tf.transpose(states, [0, 2, 1, 3]);
  // Heads that share keys lie one behind another: to the product they are more rows of one matrix.
  const rows = (heads / keyHeads) * length;
  const stacked = tf.reshape(headsFirst(tf.mul(queries, scale)), [batch, keyHeads, rows, size]);
  const products = tf.matMul(stacked, headsFirst(keys), false, true);
  let scores: tf.Tensor4D = tf.reshape(products, [batch, heads, length, slots]);
  const mask = sight.mask();
  if (mask) scores = tf.add(scores, mask);
  const probabilities = tf.reshape(thin(tf.softmax(scores)), [batch, keyHeads, rows, slots]);
  const mixed: tf.Tensor4D = tf.reshape(tf.matMul(probabilities, headsFirst(values)), [
    batch,
    heads,
    length,
    size,
  ]);
  return tf.reshape(headsFirst(mixed), [batch * length, heads * size]);
}
