/**
 * Spearman's rank correlation of paired values, -1 to 1: Pearson's correlation of their ranks, equal values sharing the
 * mean of theirs. Null for fewer than two pairs, or where all values of a side are equal.
 * @throws RangeError for sides of unequal length
 */
export function rankCorrelation(one: readonly number[], other: readonly number[]): number | null {
  if (one.length !== other.length) {
    throw new RangeError(`Values come in pairs: found ${one.length} and ${other.length}.`);
  }
  const [a, b] = [deviations(ranks(one)), deviations(ranks(other))];
  const spread = Math.sqrt(product(a, a) * product(b, b));
  return spread === 0 ? null : product(a, b) / spread;
}

/** From 1; equal values share the mean of their ranks. */
function ranks(values: readonly number[]): number[] {
  const order = [...values.keys()].sort((i, j) => values[i]! - values[j]!);
  const ranked = new Array<number>(values.length);
  for (let start = 0; start < order.length; ) {
    let end = start + 1;
    while (end < order.length && values[order[end]!] === values[order[start]!]) end++;
    for (let place = start; place < end; place++) ranked[order[place]!] = (start + 1 + end) / 2;
    start = end;
  }
  return ranked;
}

function deviations(values: readonly number[]): number[] {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return values.map((value) => value - mean);
}

function product(one: readonly number[], other: readonly number[]): number {
  return one.reduce((sum, value, place) => sum + value * other[place]!, 0);
}
