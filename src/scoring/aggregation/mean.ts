import type { Judgement, ScoreAggregation, ScorerMetrics } from "../scorer.js";
import { bootstrapInterval, type IntervalOptions, intervalMetrics } from "./bootstrap.js";
import { RunningMean } from "./runningMean.js";
import { ScoreValues } from "./scoreValues.js";

/** The mean of the scores that are numbers, and its standard error. */
export class MeanAggregation implements ScoreAggregation {
  readonly #mean = new RunningMean();
  /** Kept only where an interval is asked for. */
  readonly #values: ScoreValues | undefined;

  /** @param name of the metric */
  constructor(
    private readonly name: string,
    private readonly options: IntervalOptions = { bootstrap: 0, seed: 0 },
  ) {
    if (options.bootstrap > 0) this.#values = new ScoreValues();
  }

  add({ score }: Judgement): void {
    if (score === null) return;
    this.#mean.add(score);
    this.#values?.add(score);
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
      ...(this.#values && intervalMetrics(name, this.#interval(this.#values.all))),
    };
  }

  #interval(values: Float64Array) {
    return bootstrapInterval(values.length, this.options, (counts) => {
      let sum = 0;
      for (let row = 0; row < values.length; row++) sum += counts[row]! * values[row]!;
      return sum / values.length;
    });
  }
}
