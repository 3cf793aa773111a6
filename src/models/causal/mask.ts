import * as tf from "@tensorflow/tfjs-core";

/** Where tokens stand in their rows. */
export interface Places {
  /** Rows of `places`; 1 where all rows of the batch are alike. */
  readonly rows: number;
  /** Tokens per row. */
  readonly each: number;
  /** [rows * each]; -1 for padding. */
  readonly places: Int32Array;
}

/** Added to a score, it leaves a probability of exactly zero; infinity would make a row without any token NaN. */
const UNSEEN = -1e9;

/**
 * Zero where a query sees a key, else -1e9: [rows, 1, queries, keys]. Undefined where every query sees every key.
 * @param window the most tokens that a query sees, its own included
 */
export function causalMask(queries: Places, keys: Places, window: number): tf.Tensor4D | undefined {
  const mask = new Float32Array(queries.rows * queries.each * keys.each);
  let hides = false;
  for (let row = 0, at = 0; row < queries.rows; row++) {
    for (let query = 0; query < queries.each; query++) {
      const own = queries.places[row * queries.each + query]!;
      for (let key = 0; key < keys.each; key++, at++) {
        const place = keys.places[row * keys.each + key]!;
        if (place >= 0 && place <= own && place > own - window) continue;
        mask[at] = UNSEEN;
        hides = true;
      }
    }
  }
  return hides ? tf.tensor4d(mask, [queries.rows, 1, queries.each, keys.each]) : undefined;
}
