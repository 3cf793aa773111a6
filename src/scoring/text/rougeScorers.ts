import { z } from "zod";
import { aggregationParams } from "../aggregation/namedAggregations.js";
import { ANSWER_COLUMNS, textOf, textsOf } from "../columns.js";
import { defineScorer } from "../defineScorer.js";
import type { Judgement, ScorerRow } from "../scorer.js";
import { type RougeScore, rougeL, rougeN, rougeWords } from "./rouge.js";
import { TextAggregation } from "./textAggregation.js";

/** ROUGE-L as the package rouge_score has it without its stemmer: F1; of several expected texts the best. */
export const rougeLScorer = defineScorer({
  name: "rouge_l",
  description: "ROUGE-L F1, as rouge_score without stemming; the best of several expected answers",
  columns: ANSWER_COLUMNS,
  params: z.strictObject(aggregationParams),
  judge: (row) => bestOf(row, rougeL),
  aggregation: (params) => new TextAggregation("rouge_l", params),
});

/** ROUGE-N as the package rouge_score has it without its stemmer. */
export const rougeNScorer = defineScorer({
  name: "rouge_n",
  description: "ROUGE-N F1 over runs of n words, as rouge_score without stemming",
  columns: ANSWER_COLUMNS,
  params: z.strictObject({
    ...aggregationParams,
    /** Words of a run. */
    n: z.int().min(1).max(9).default(1),
  }),
  judge: (row, { n }) => bestOf(row, (expected, answer) => rougeN(expected, answer, n)),
  aggregation: (params) => new TextAggregation(`rouge_${params.n}`, params),
});

function bestOf(
  row: ScorerRow,
  score: (expected: readonly string[], answer: readonly string[]) => RougeScore,
): Judgement {
  const answer = rougeWords(textOf(row, "generated_answer"));
  const all = textsOf(row, "expected_answer").map((text) => score(rougeWords(text), answer));
  const { f1, precision, recall } = all.reduce((best, other) => (other.f1 > best.f1 ? other : best));
  return { score: f1, metadata: { precision, recall } };
}
