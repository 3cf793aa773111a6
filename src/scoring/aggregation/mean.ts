import type { Judgement, ScoreAggregation, ScorerMetrics } from "../scorer.js";
import type { ScoringThreads } from "../threads/scoringThreads.js";
import { type IntervalOptions, intervalMetrics } from "./bootstrap.js";
import { RunningMean } from "./runningMean.js";
import { ScoreValues } from "./scoreValues.js";
import { SettledInterval } from "./settledInterval.js";

/** The mean of the scores that are numbers, and its standard error. */
export class MeanAggregation implements ScoreAggregation {
  readonly #mean = new RunningMean();
  /** Kept only where an interval is asked for. */
  readonly #values: ScoreValues | undefined;
  readonly #interval: SettledInterval | undefined;

  /** @param name of the metric */
  constructor(
    private readonly name: string,
    options: IntervalOptions = { bootstrap: 0, seed: 0 },
  ) {
    if (options.bootstrap === 0) return;
    const values = new ScoreValues();
    this.#values = values;
    this.#interval = new SettledInterval(() => ({ statistic: "mean", columns: [values.all], options }));
  }

  add({ score }: Judgement): void {
    if (score === null) return;
    this.#mean.add(score);
    this.#values?.add(score);
    this.#interval?.outdate();
  }

  get sum(): number {
    return this.#mean.sum;
  }

  get count(): number {
    return this.#mean.count;
  }

  metrics(): ScorerMetrics {
    const { name } = this;
    return {
      [name]: this.#mean.mean,
      [`${name}_stderr`]: this.#mean.standardError,
      ...(this.#interval && intervalMetrics(name, this.#interval.value)),
    };
  }

  async settle(threads: ScoringThreads, signal: AbortSignal | undefined): Promise<void> {
    await this.#interval?.settle(threads, signal);
  }
}
