import type { Judgement, ScoreAggregation, ScorerMetrics } from "../scorer.js";
import { bootstrapInterval, type IntervalOptions, intervalMetrics } from "./bootstrap.js";
import { ScoreValues } from "./scoreValues.js";

/** The median: of an even number the mean of the two in the middle; null for none. Keeps eight bytes per row. */
export class MedianAggregation implements ScoreAggregation {
  readonly #values = new ScoreValues();

  constructor(private readonly options: IntervalOptions = { bootstrap: 0, seed: 0 }) {}

  add({ score }: Judgement): void {
    if (score !== null) this.#values.add(score);
  }

  metrics(): ScorerMetrics {
    const sorted = this.#values.sorted();
    const each = new Uint32Array(sorted.length).fill(1);
    const median = sorted.length === 0 ? null : medianOf(sorted, each);
    if (this.options.bootstrap === 0) return { median };
    const interval = bootstrapInterval(sorted.length, this.options, (counts) => medianOf(sorted, counts));
    return { median, median_stderr: interval?.standardError ?? null, ...intervalMetrics("median", interval) };
  }
}

/** Of sorted values, each taken as often as counted; as many in all as there are values. */
function medianOf(sorted: Float64Array, counts: Uint32Array): number {
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
