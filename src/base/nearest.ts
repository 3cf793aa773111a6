import { distance } from "fastest-levenshtein";

/**
 * The known name nearest to a mistyped one, for "did you mean". Case and the difference between `-` and
 * `_` count for nothing; more than a third of the letters wrong (at least two) is no suggestion.
 */
export function nearest(name: string, known: Iterable<string>): string | undefined {
  const wanted = fold(name);
  let best: string | undefined;
  let bestDistance = Math.max(2, Math.floor(wanted.length / 3)) + 1;
  for (const candidate of known) {
    const d = distance(wanted, fold(candidate));
    if (d < bestDistance) {
      best = candidate;
      bestDistance = d;
    }
  }
  return best;
}

function fold(name: string): string {
  return name.toLowerCase().replaceAll("-", "_");
}
