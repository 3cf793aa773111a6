import type { Judgement, ScoreAggregation, ScorerMetrics } from "../scorer.js";
import { RunningMean } from "./runningMean.js";

/** Accuracy of scores that are 0 or 1, over the rows that were judged. */
export class AccuracyAggregation implements ScoreAggregation {
  readonly #mean = new RunningMean();

  add({ score }: Judgement): void {
    if (score !== null) this.#mean.add(score);
  }

  metrics(): ScorerMetrics {
    return {
      accuracy: this.#mean.mean,
      num_correct: this.#mean.sum,
      num_total: this.#mean.count,
      accuracy_stderr: this.#mean.standardError,
    };
  }
}
