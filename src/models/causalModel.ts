import type * as tf from "@tensorflow/tfjs-core";
import type { ForwardOptions, Model } from "./model.js";

/**
 * A language model that reads from left to right: what it says of a token depends on that token and those
 * before it. As a `Model` its inputs are token ids [rows, length], of any number type, and its outputs logits
 * [rows, length, vocabulary].
 */
export interface CausalModel extends Model {
  /** Tokens in a row that the model was made for. Longer rows are an error only where it has no positions left. */
  readonly contextLength: number;
  /** Logits per token; token ids are below it. */
  readonly vocabularySize: number;
  /**
   * Logits of the token after each place.
   * @param tokens int32 [batch, length]; rows shorter than the longest are padded at the end with any id, and
   *   what is given back for the padding means nothing
   * @returns float32 [batch, length, vocabulary]
   * @throws DATA_INVALID for an id outside the vocabulary, rows beyond the last position or a full cache
   */
  forwardTokens(tokens: tf.Tensor2D, options: TokenOptions): tf.Tensor3D;
  /**
   * What `forwardTokens` computes before its last step. Whoever needs few logits of many takes these, gathers
   * rows, and asks `logits` for them alone.
   * @returns float32 [batch * length, width], row by row
   * @throws as `forwardTokens`
   */
  hiddenStates(tokens: tf.Tensor2D, options: TokenOptions): tf.Tensor2D;
  /** The last step: states [n, width] become logits [n, vocabulary]. */
  logits(states: tf.Tensor2D): tf.Tensor2D;
  /**
   * All weights under the names of the model's family, frozen ones too, each with what an adapter adds: for whoever
   * computes with them elsewhere. Absent: `variables` are all there is.
   */
  effectiveWeights?(): ReadonlyMap<string, EffectiveWeight>;
  /**
   * Room for what the model keeps of the tokens it has read, so that they need not be read again.
   * @param batch rows
   * @param capacity the most tokens of a row
   * @throws CAPABILITY_MISSING where the model cannot keep so many
   */
  createCache(batch: number, capacity: number): KeyValueCache;
}

/** A weight with what an adapter adds to it, for whoever computes without adapters. */
export interface EffectiveWeight {
  readonly shape: readonly number[];
  /** What it follows from: the weight alone, or with A and B of its layer's adapter. */
  readonly parts: readonly tf.Tensor[];
  /** A copy of its values as they are now. */
  values(): Float32Array;
}

/** How tokens are read. */
export interface TokenOptions extends ForwardOptions {
  /**
   * What came before: each row goes on where it stands in the cache, which then holds the new tokens too. Logits
   * are those of the whole rows read at once. When the call throws, the cache is as it was.
   */
  readonly cache?: KeyValueCache | undefined;
  /** Tokens of each row that are no padding, 0 to length. Absent: all. */
  readonly lengths?: ArrayLike<number> | undefined;
  /**
   * Rows that branch, so that what several texts begin with is read once: for each token [batch * length] the place
   * in its row of the one it follows, an earlier one; -1 where it follows what came before the row. A token sees
   * those it follows, directly and indirectly, and no others. The cache is then read, and stays as it is.
   * Absent: each follows the one in front of it.
   */
  readonly parents?: ArrayLike<number> | undefined;
}

/** Keys and values of the tokens that a model has read, for rows of different lengths. Dispose of it. */
export interface KeyValueCache {
  readonly batch: number;
  readonly capacity: number;
  /** Tokens read so far, by row. */
  readonly lengths: Readonly<Int32Array>;
  /**
   * A new cache with these rows of this one, which stays: repeat a row to go on from one beginning in several
   * ways, leave one out when its text has ended.
   */
  select(rows: ArrayLike<number>): KeyValueCache;
  /**
   * A new cache with the rows of this one, then those of others of the same model; all of them stay. None may be
   * empty.
   */
  join(...others: readonly KeyValueCache[]): KeyValueCache;
  dispose(): void;
}

/** Whether a model reads tokens. */
export function isCausalModel(model: Model): model is CausalModel {
  return "forwardTokens" in model && "createCache" in model;
}

/** Logits are computed for so many numbers at a time, 64 MB. */
export const MOST_LOGITS = 2 ** 24;
