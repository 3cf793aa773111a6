/**
 * Divides `total` rows by `shares`, none below `minimum`: who would get less gets the minimum, and the others share the
 * rest as their shares say, until all have enough. Whole numbers by largest remainder; they sum to `total`.
 * @param shares not negative, with a positive sum
 * @param minimum times the number of shares at most `total`
 */
export function sharedSizes(total: number, shares: readonly number[], minimum: number): Int32Array {
  const exact = new Float64Array(shares.length);
  const raised = new Set<number>();
  for (;;) {
    const rest = total - raised.size * minimum;
    const weight = shares.reduce((sum, share, place) => (raised.has(place) ? sum : sum + share), 0);
    const before = raised.size;
    for (const [place, share] of shares.entries()) {
      if (raised.has(place)) continue;
      // Shares too small for a double leave the rest to all that are not raised, alike.
      exact[place] = weight > 0 ? (rest * share) / weight : rest / (shares.length - before);
    }
    for (const place of shares.keys()) if (!raised.has(place) && exact[place]! < minimum) raised.add(place);
    for (const place of raised) exact[place] = minimum;
    if (raised.size === before || raised.size === shares.length) break;
  }
  return wholeNumbers(exact, total);
}

/** Rounds down, then gives what is left to the largest remainders; of equal ones to the first. */
function wholeNumbers(exact: Float64Array, total: number): Int32Array {
  const sizes = Int32Array.from(exact, Math.floor);
  const missing = total - sizes.reduce((sum, size) => sum + size, 0);
  const order = [...exact.keys()].sort((one, other) => remainder(exact[other]!) - remainder(exact[one]!));
  for (const place of order.slice(0, Math.max(0, missing))) sizes[place]!++;
  return sizes;
}

function remainder(value: number): number {
  return value - Math.floor(value);
}
