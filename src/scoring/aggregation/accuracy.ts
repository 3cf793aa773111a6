import type { Judgement, ScoreAggregation, ScorerMetrics } from "../scorer.js";
import type { ScoringThreads } from "../threads/scoringThreads.js";
import type { IntervalOptions } from "./bootstrap.js";
import { MeanAggregation } from "./mean.js";

/** Accuracy of scores that are 0 or 1, over the rows that were judged. */
export class AccuracyAggregation implements ScoreAggregation {
  readonly #mean: MeanAggregation;

  constructor(options?: IntervalOptions) {
    this.#mean = new MeanAggregation("accuracy", options);
  }

  add(judgement: Judgement): void {
    this.#mean.add(judgement);
  }

  metrics(): ScorerMetrics {
    const { accuracy, ...uncertainty } = this.#mean.metrics() as { accuracy: number | null };
    return { accuracy, num_correct: this.#mean.sum, num_total: this.#mean.count, ...uncertainty };
  }

  async settle(threads: ScoringThreads, signal: AbortSignal | undefined): Promise<void> {
    await this.#mean.settle(threads, signal);
  }
}
