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
}

/** Zero where a new token sees a slot or a new token, else -1e9: [rows, 1, length, slots + length]. */
export function onnxMask({ before, slots, length, window }: MaskPlaces): {
  values: Float32Array;
  rows: number;
} {
  const alike = Array.prototype.every.call(before, (count: number) => count === before[0]);
  const rows = alike ? 1 : before.length;
  const all = slots + length;
  const values = new Float32Array(rows * length * all).fill(UNSEEN);
  for (let row = 0; row < rows; row++) {
    const held = before[row]!;
    for (let query = 0; query < length; query++) {
      const start = (row * length + query) * all;
      // Places of a row are slots up to `held`, and from there on new tokens.
      const first = Math.max(0, held + query - window + 1);
      if (first < held) values.fill(0, start + first, start + held);
      values.fill(0, start + slots + Math.max(0, first - held), start + slots + query + 1);
    }
  }
  return { values, rows };
}
