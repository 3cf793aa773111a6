/** Added to a score, it leaves a probability of exactly zero; infinity would make a row without any token NaN. */
const UNSEEN = -1e9;

/** Which tokens may look at which. */
export interface MaskPlaces {
  /** Tokens of each row before the new ones. */
  readonly before: ArrayLike<number>;
  /** Slots for tokens before the new ones, of which a row uses the first. */
  readonly slots: number;
  /** New tokens of the longest row. */
  readonly length: number;
  /** The most tokens that are seen, the own one included. */
  readonly window: number;
  /**
   * In rows that branch, the place of the token that each follows, -1 for what came before: [rows, length]. Absent:
   * each follows the one in front.
   */
  readonly parents?: Int32Array | undefined;
}

/** Zero where a new token sees a slot or a new token, else -1e9: [rows, 1, length, slots + length]. */
export function onnxMask(places: MaskPlaces): { values: Float32Array; rows: number } {
  const { before, slots, length, window, parents } = places;
  const alike = !parents && Array.prototype.every.call(before, (count: number) => count === before[0]);
  const rows = alike ? 1 : before.length;
  const all = slots + length;
  const values = new Float32Array(rows * length * all).fill(UNSEEN);
  for (let row = 0; row < rows; row++) {
    const held = before[row]!;
    for (let query = 0; query < length; query++) {
      const start = (row * length + query) * all;
      let seen = 0;
      for (let key = query; key >= 0 && seen < window; seen++) {
        values[start + slots + key] = 0;
        key = parents ? parents[row * length + key]! : key - 1;
      }
      const further = Math.min(window - seen, held);
      if (further > 0) values.fill(0, start + held - further, start + held);
    }
  }
  return { values, rows };
}
