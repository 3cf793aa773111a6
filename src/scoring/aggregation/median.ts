import type { Judgement, ScoreAggregation, ScorerMetrics } from "../scorer.js";
import type { ScoringThreads } from "../threads/scoringThreads.js";
import { type IntervalOptions, intervalMetrics, medianOf } from "./bootstrap.js";
import { ScoreValues } from "./scoreValues.js";
import { SettledInterval } from "./settledInterval.js";

/** The median: of an even number the mean of the two in the middle; null for none. Keeps eight bytes per row. */
export class MedianAggregation implements ScoreAggregation {
  readonly #values = new ScoreValues();
  readonly #interval: SettledInterval | undefined;

  constructor(options: IntervalOptions = { bootstrap: 0, seed: 0 }) {
    if (options.bootstrap === 0) return;
    this.#interval = new SettledInterval(() => ({
      statistic: "median",
      columns: [this.#values.sorted()],
      options,
    }));
  }

  add({ score }: Judgement): void {
    if (score === null) return;
    this.#values.add(score);
    this.#interval?.outdate();
  }

  metrics(): ScorerMetrics {
    const sorted = this.#values.sorted();
    const each = new Uint32Array(sorted.length).fill(1);
    const median = sorted.length === 0 ? null : medianOf(sorted, each);
    if (this.#interval === undefined) return { median };
    const interval = this.#interval.value;
    return { median, median_stderr: interval?.standardError ?? null, ...intervalMetrics("median", interval) };
  }

  async settle(threads: ScoringThreads, signal: AbortSignal | undefined): Promise<void> {
    await this.#interval?.settle(threads, signal);
  }
}
