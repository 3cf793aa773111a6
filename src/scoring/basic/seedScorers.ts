import { z } from "zod";
import { createRandom } from "../../base/index.js";
import { RunningMean } from "../aggregation/runningMean.js";
import { ANSWER_COLUMNS, textOf, textsOf } from "../columns.js";
import { defineScorer } from "../defineScorer.js";
import type { Judgement, ScoreAggregation, ScorerMetrics } from "../scorer.js";

/**
 * `accuracy` of Llama Stack's first evaluation interface: the answer is the expected one or among them; an empty
 * answer is always wrong.
 */
export const accuracyScorer = defineScorer({
  name: "accuracy",
  description: "1 where generated_answer is not empty and equals expected_answer, or one of a list",
  columns: ANSWER_COLUMNS,
  params: z.strictObject({}),
  judge(row) {
    const answer = textOf(row, "generated_answer");
    return { score: Number(answer !== "" && textsOf(row, "expected_answer").includes(answer)) };
  },
  aggregation: () => new SeedAccuracy(),
});

/** A drawn score from 0 to 1, to see what chance gives: the same row of the same seed always draws the same. */
export const randomScorer = defineScorer({
  name: "random",
  description: "a seeded draw from 0 to 1 for each row: what chance gives",
  columns: [],
  params: z.strictObject({ seed: z.int().default(0) }),
  judge: (_, { seed }, _signal, index) => ({ score: createRandom(seed, "random scorer", index).next() }),
  aggregation: () => new SeedRandom(),
});

/** Its metrics, under its names and those that equality-like scorers have here. */
class SeedAccuracy implements ScoreAggregation {
  readonly #mean = new RunningMean();

  add({ score }: Judgement): void {
    if (score !== null) this.#mean.add(score);
  }

  metrics(): ScorerMetrics {
    const { mean, sum, count, standardError } = this.#mean;
    return {
      accuracy: mean,
      num_correct: sum,
      num_total: count,
      accuracy_stderr: standardError,
      avg_accuracy: mean,
    };
  }
}

class SeedRandom implements ScoreAggregation {
  readonly #mean = new RunningMean();
  #largest: number | null = null;

  add({ score }: Judgement): void {
    if (score === null) return;
    this.#mean.add(score);
    this.#largest = Math.max(this.#largest ?? score, score);
  }

  metrics(): ScorerMetrics {
    return { avg_random: this.#mean.mean, max_random: this.#largest };
  }
}
