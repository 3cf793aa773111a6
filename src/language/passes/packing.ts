/**
 * Packs items of different lengths into batches, longest first, so that little is padded.
 * @param fits whether a batch may be of so many items, the longest of which is so long; one item always is
 */
export function pack<T>(
  items: readonly T[],
  lengthOf: (item: T) => number,
  fits: (count: number, longest: number) => boolean,
): T[][] {
  const sorted = [...items].sort((one, other) => lengthOf(other) - lengthOf(one));
  const batches: T[][] = [];
  let batch: T[] = [];
  for (const item of sorted) {
    if (batch.length > 0 && !fits(batch.length + 1, lengthOf(batch[0]!))) {
      batches.push(batch);
      batch = [];
    }
    batch.push(item);
  }
  if (batch.length > 0) batches.push(batch);
  return batches;
}
