import { z } from "zod";
import { RunningMean } from "../aggregation/runningMean.js";
import { ANSWER_COLUMNS, textOf, textsOf } from "../columns.js";
import { defineScorer } from "../defineScorer.js";
import type { Judgement, ScoreAggregation, ScorerMetrics } from "../scorer.js";
import { type BleuCounts, bleuCounts, bleuOf } from "./bleu.js";

/** BLEU as sacrebleu has it: of each row as a sentence, and of all rows as one corpus. */
export const bleuScorer = defineScorer({
  name: "bleu",
  description: "BLEU, 0 to 100, as sacrebleu (13a, exp): per sentence, and of the corpus",
  columns: ANSWER_COLUMNS,
  params: z.strictObject({ ignore_case: z.boolean().default(false) }),
  judge(row, { ignore_case: ignoreCase }): BleuJudgement {
    const alike = (text: string) => (ignoreCase ? text.toLowerCase() : text);
    const counts = bleuCounts(
      alike(textOf(row, "generated_answer")),
      textsOf(row, "expected_answer").map(alike),
    );
    return { score: bleuOf(counts, true), metadata: { ...counts } };
  },
  aggregation: () => new CorpusBleu(),
});

interface BleuJudgement extends Judgement {
  readonly metadata: Readonly<Record<string, unknown>> & BleuCounts;
}

class CorpusBleu implements ScoreAggregation<BleuJudgement> {
  readonly #sentences = new RunningMean();
  #sum: BleuCounts | undefined;

  add({ score, metadata }: BleuJudgement): void {
    this.#sentences.add(score!);
    this.#sum = this.#sum === undefined ? metadata : together(this.#sum, metadata);
  }

  metrics(): ScorerMetrics {
    return {
      bleu: this.#sum === undefined ? null : bleuOf(this.#sum, false),
      sentence_bleu: this.#sentences.mean,
      sentence_bleu_stderr: this.#sentences.standardError,
    };
  }
}

function together(one: BleuCounts, other: BleuCounts): BleuCounts {
  return {
    answerLength: one.answerLength + other.answerLength,
    expectedLength: one.expectedLength + other.expectedLength,
    correct: one.correct.map((count, place) => count + other.correct[place]!),
    total: one.total.map((count, place) => count + other.total[place]!),
  };
}
