import { createRandom, type RandomState } from "../../base/index.js";

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

/** What intervals are made of: of sorted values for the median; of scores and weights for the weighted mean. */
export type Statistic = "mean" | "median" | "weighted_mean";

/** What an interval is made of. */
export interface BootstrapRequest {
  readonly statistic: Statistic;
  /** Values of the rows, column by column. */
  readonly columns: readonly Float64Array[];
  readonly options: IntervalOptions;
}

/**
 * The percentile bootstrap (Efron 1979): rows are drawn with replacement, as many as there are, and the statistic
 * is taken of each draw.
 * @returns null for fewer than two rows, or where a draw has no statistic
 */
export function bootstrapInterval(request: BootstrapRequest): BootstrapInterval | null {
  const { bootstrap } = request.options;
  if (!hasInterval(request)) return null;
  return intervalOf(bootstrapDraws({ ...request, draws: bootstrap }).found);
}

/** Whether there are rows and draws enough. */
export function hasInterval({ columns, options }: BootstrapRequest): boolean {
  return columns[0]!.length >= 2 && options.bootstrap >= 2;
}

/** Some of the draws of an interval. */
export interface BootstrapPart extends BootstrapRequest {
  readonly draws: number;
  /** Of the generator, behind the draws before. Absent: these are the first. */
  readonly state?: RandomState | undefined;
}

/** The statistic of each of some draws, and where the next ones go on. */
export function bootstrapDraws({ statistic, columns, options, draws, state }: BootstrapPart): {
  readonly found: Float64Array;
  readonly state: RandomState;
} {
  const rows = columns[0]!.length;
  const random = createRandom(options.seed, "bootstrap");
  if (state !== undefined) random.restore(state);
  const counts = new Uint32Array(rows);
  const found = new Float64Array(draws);
  const of = STATISTICS[statistic];
  for (let sample = 0; sample < draws; sample++) {
    counts.fill(0);
    for (let drawn = 0; drawn < rows; drawn++) counts[random.int(rows)]!++;
    found[sample] = of(counts, columns);
  }
  return { found, state: random.state() };
}

/** The interval of all draws; null where one has no statistic. */
export function intervalOf(found: Float64Array): BootstrapInterval | null {
  if (!found.every(Number.isFinite)) return null;
  const sorted = found.slice().sort();
  return { low: quantile(sorted, 0.025), high: quantile(sorted, 0.975), standardError: deviation(sorted) };
}

/** Statistics by how often each row was drawn. */
const STATISTICS: Readonly<
  Record<Statistic, (counts: Uint32Array, columns: readonly Float64Array[]) => number>
> = {
  mean(counts, [values]) {
    let sum = 0;
    for (let row = 0; row < values!.length; row++) sum += counts[row]! * values![row]!;
    return sum / values!.length;
  },
  median: (counts, [sorted]) => medianOf(sorted!, counts),
  weighted_mean(counts, [scores, weights]) {
    let [sum, total] = [0, 0];
    for (let row = 0; row < scores!.length; row++) {
      sum += counts[row]! * weights![row]! * scores![row]!;
      total += counts[row]! * weights![row]!;
    }
    return sum / total;
  },
};

/** Of sorted values, each taken as often as counted; as many in all as there are values. */
export function medianOf(sorted: Float64Array, counts: Uint32Array): number {
  const total = sorted.length;
  const [low, high] = [Math.floor((total - 1) / 2), Math.floor(total / 2)];
  let seen = 0;
  let lower: number | undefined;
  for (let place = 0; place < total; place++) {
    seen += counts[place]!;
    if (lower === undefined && seen > low) lower = sorted[place]!;
    if (seen > high) return (lower! + sorted[place]!) / 2;
  }
  return Number.NaN;
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
