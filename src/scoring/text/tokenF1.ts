import { z } from "zod";
import { aggregationParams } from "../aggregation/namedAggregations.js";
import { ANSWER_COLUMNS, textOf, textsOf } from "../columns.js";
import { defineScorer } from "../defineScorer.js";
import { plainWords } from "./alikeText.js";
import { TextAggregation } from "./textAggregation.js";

/**
 * F1 over the words of answer and expected text, without case, punctuation and articles, as SQuAD's script has it
 * (Rajpurkar et al. 2016); of several expected texts the best. Two texts without words are equal.
 */
export const tokenF1Scorer = defineScorer({
  name: "token_f1",
  description: "F1 over words, as SQuAD measures it; the best of several expected answers",
  columns: ANSWER_COLUMNS,
  params: z.strictObject(aggregationParams),
  judge(row) {
    const answer = plainWords(textOf(row, "generated_answer"));
    const scores = textsOf(row, "expected_answer").map((text) => wordF1(plainWords(text), answer));
    return { score: Math.max(...scores) };
  },
  aggregation: (params) => new TextAggregation("f1", params),
});

/** 2 P R / (P + R) over words, each counted as often as it occurs in both. */
export function wordF1(expected: readonly string[], answer: readonly string[]): number {
  if (expected.length === 0 || answer.length === 0) return Number(expected.length === answer.length);
  const left = new Map<string, number>();
  for (const word of expected) left.set(word, (left.get(word) ?? 0) + 1);
  let common = 0;
  for (const word of answer) {
    const count = left.get(word) ?? 0;
    if (count > 0) common++;
    left.set(word, count - 1);
  }
  return (2 * common) / (expected.length + answer.length);
}
