import * as tf from "@tensorflow/tfjs-core";

/** Where tokens stand in their rows. */
export interface Places {
  /** Rows of `places`; 1 where all rows of the batch are alike. */
  readonly rows: number;
  /** Tokens per row. */
  readonly each: number;
  /** [rows * each]; -1 for padding. */
  readonly places: Int32Array;
  /** In rows that branch: of each token the index in its row of the one it follows, -1 for none. [rows * each] */
  readonly parents?: Int32Array | undefined;
}

/** Added to a score, it leaves a probability of exactly zero; infinity would make a row without any token NaN. */
const UNSEEN = -1e9;

/**
 * Zero where a query sees a key, else -1e9: [rows, 1, queries, keys]. Undefined where every query sees every key.
 * @param keys those that came before, then those of the queries themselves
 * @param window the most tokens that a query sees, its own included
 */
export function causalMask(queries: Places, keys: Places, window: number): tf.Tensor4D | undefined {
  const mask = new Float32Array(queries.rows * queries.each * keys.each);
  const { parents } = queries;
  const before = parents ? keys.each - queries.each : keys.each;
  let hides = false;
  for (let row = 0, at = 0; row < queries.rows; row++) {
    for (let query = 0; query < queries.each; query++, at += keys.each) {
      const own = queries.places[row * queries.each + query]!;
      for (let key = 0; key < before; key++) {
        const place = keys.places[row * keys.each + key]!;
        if (place >= 0 && place <= own && place > own - window) continue;
        mask[at + key] = UNSEEN;
        hides = true;
      }
      if (!parents) continue;
      hides = true;
      mask.fill(UNSEEN, at + before, at + keys.each);
      const first = row * queries.each;
      for (let key = query; key >= 0; key = parents[first + key]!) {
        if (queries.places[first + key]! > own - window) mask[at + before + key] = 0;
      }
    }
  }
  return hides ? tf.tensor4d(mask, [queries.rows, 1, queries.each, keys.each]) : undefined;
}
