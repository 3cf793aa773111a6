import { z } from "zod";
import { RunningMean } from "../aggregation/runningMean.js";
import { ANSWER_COLUMNS, textOf, textsOf } from "../columns.js";
import { defineScorer } from "../defineScorer.js";
import type { Judgement, ScoreAggregation, ScorerMetrics } from "../scorer.js";
import { type ChrfCounts, type ChrfOptions, chrfCounts, chrfOf } from "./chrf.js";

/** chrF and chrF++ as sacrebleu has them: of each row, and of all rows as one corpus. */
export const chrfScorer = defineScorer({
  name: "chrf",
  description: "chrF, 0 to 100, as sacrebleu (word_order 2: chrF++): per row, and of the corpus",
  columns: ANSWER_COLUMNS,
  params: z.strictObject({
    char_order: z.int().min(1).max(10).default(6),
    word_order: z.int().min(0).max(5).default(0),
    beta: z.number().positive().default(2),
    ignore_case: z.boolean().default(false),
  }),
  judge(row, { ignore_case: ignoreCase, ...options }): ChrfJudgement {
    const alike = (text: string) => (ignoreCase ? text.toLowerCase() : text);
    const expected = textsOf(row, "expected_answer").map(alike);
    const counts = chrfCounts(alike(textOf(row, "generated_answer")), expected, options);
    return { score: chrfOf(counts, options), metadata: { counts } };
  },
  aggregation: (options) => new CorpusChrf(options),
});

interface ChrfJudgement extends Judgement {
  readonly metadata: { readonly counts: ChrfCounts };
}

class CorpusChrf implements ScoreAggregation<ChrfJudgement> {
  readonly #rows = new RunningMean();
  #sum: ChrfCounts | undefined;

  constructor(private readonly options: ChrfOptions) {}

  add({ score, metadata: { counts } }: ChrfJudgement): void {
    this.#rows.add(score!);
    const sum = this.#sum;
    this.#sum =
      sum === undefined
        ? counts
        : counts.map(([answer, expected, common], place) => {
            const [a, e, c] = sum[place]!;
            return [answer + a, expected + e, common + c] as const;
          });
  }

  metrics(): ScorerMetrics {
    return {
      chrf: this.#sum === undefined ? null : chrfOf(this.#sum, this.options),
      sentence_chrf: this.#rows.mean,
      sentence_chrf_stderr: this.#rows.standardError,
    };
  }
}
