import { createRandom } from "../../base/index.js";

/** How intervals are made. */
export interface IntervalOptions {
  /** Resamples; 0: no interval. */
  readonly bootstrap: number;
  /** Of the draws. */
  readonly seed: number;
}

/** The middle 95 % of a statistic over resamples, and its standard deviation over them. */
export interface BootstrapInterval {
  readonly low: number;
  readonly high: number;
  readonly standardError: number;
}

/**
 * The percentile bootstrap (Efron 1979): rows are drawn with replacement, as many as there are, and the statistic
 * is taken of each draw.
 * @param statistic of how often each of the rows was drawn
 * @returns null for fewer than two rows, or where a draw has no statistic
 */
export function bootstrapInterval(
  rows: number,
  { bootstrap, seed }: IntervalOptions,
  statistic: (counts: Uint32Array) => number,
): BootstrapInterval | null {
  if (rows < 2 || bootstrap < 2) return null;
  const random = createRandom(seed, "bootstrap");
  const counts = new Uint32Array(rows);
  const found = new Float64Array(bootstrap);
  for (let sample = 0; sample < bootstrap; sample++) {
    counts.fill(0);
    for (let drawn = 0; drawn < rows; drawn++) counts[random.int(rows)]!++;
    found[sample] = statistic(counts);
  }
  if (!found.every(Number.isFinite)) return null;
  found.sort();
  return { low: quantile(found, 0.025), high: quantile(found, 0.975), standardError: deviation(found) };
}

/** Names an interval's ends after the metric. */
export function intervalMetrics(
  name: string,
  interval: BootstrapInterval | null,
): Record<string, number | null> {
  return { [`${name}_ci_low`]: interval?.low ?? null, [`${name}_ci_high`]: interval?.high ?? null };
}

/** Between the two nearest ranks in proportion. */
function quantile(sorted: Float64Array, share: number): number {
  const place = share * (sorted.length - 1);
  const below = Math.floor(place);
  const above = Math.min(below + 1, sorted.length - 1);
  return sorted[below]! + (place - below) * (sorted[above]! - sorted[below]!);
}

function deviation(values: Float64Array): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return Math.sqrt(squares / (values.length - 1));
}
