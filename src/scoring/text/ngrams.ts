/** How often each run of so many items occurs. */
export function ngramCounts(items: readonly string[], size: number, between: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (let start = 0; start + size <= items.length; start++) {
    const gram = items.slice(start, start + size).join(between);
    counts.set(gram, (counts.get(gram) ?? 0) + 1);
  }
  return counts;
}

/** How many of one are in the other, each as often as in both. */
export function commonCount(one: ReadonlyMap<string, number>, other: ReadonlyMap<string, number>): number {
  let common = 0;
  for (const [gram, count] of one) common += Math.min(count, other.get(gram) ?? 0);
  return common;
}

export function totalCount(counts: ReadonlyMap<string, number>): number {
  let total = 0;
  for (const count of counts.values()) total += count;
  return total;
}
