import type { Judgement, ScoreAggregation, ScorerMetrics } from "../scorer.js";
import type { ScoringThreads } from "../threads/scoringThreads.js";
import { type IntervalOptions, intervalMetrics } from "./bootstrap.js";
import { ScoreValues } from "./scoreValues.js";
import { SettledInterval } from "./settledInterval.js";

/**
 * sum(w x) / sum(w) over the rows that have a score; a row without a weight has 1. Standard error of the ratio
 * (Cochran 1977): sqrt(n / (n - 1) * sum(w^2 (x - mean)^2)) / sum(w). Null where the weights sum to 0.
 */
export class WeightedAverageAggregation implements ScoreAggregation {
  #count = 0;
  #weights = 0;
  #weighted = 0;
  /** Sums of w^2, w^2 x and w^2 x^2. */
  readonly #squares: [number, number, number] = [0, 0, 0];
  readonly #kept: { scores: ScoreValues; weights: ScoreValues } | undefined;
  readonly #interval: SettledInterval | undefined;

  constructor(options: IntervalOptions = { bootstrap: 0, seed: 0 }) {
    if (options.bootstrap === 0) return;
    const kept = { scores: new ScoreValues(), weights: new ScoreValues() };
    this.#kept = kept;
    this.#interval = new SettledInterval(() => ({
      statistic: "weighted_mean",
      columns: [kept.scores.all, kept.weights.all],
      options,
    }));
  }

  add({ score, weight = 1 }: Judgement): void {
    if (score === null) return;
    this.#count++;
    this.#weights += weight;
    this.#weighted += weight * score;
    const squares = this.#squares;
    squares[0] += weight * weight;
    squares[1] += weight * weight * score;
    squares[2] += weight * weight * score * score;
    this.#kept?.scores.add(score);
    this.#kept?.weights.add(weight);
    this.#interval?.outdate();
  }

  metrics(): ScorerMetrics {
    const mean = this.#weights === 0 ? null : this.#weighted / this.#weights;
    return {
      weighted_average: mean,
      weighted_average_stderr: mean === null ? null : this.#standardError(mean),
      ...(this.#interval && intervalMetrics("weighted_average", this.#interval.value)),
    };
  }

  async settle(threads: ScoringThreads, signal: AbortSignal | undefined): Promise<void> {
    await this.#interval?.settle(threads, signal);
  }

  #standardError(mean: number): number | null {
    if (this.#count < 2) return null;
    const [squares, scored, scoredTwice] = this.#squares;
    // Rounding can take a sum of squares that is 0 below it.
    const spread = Math.max(0, scoredTwice - 2 * mean * scored + mean * mean * squares);
    return Math.sqrt((this.#count / (this.#count - 1)) * spread) / Math.abs(this.#weights);
  }
}
