import { z } from "zod";
import { pythonWords } from "../../base/index.js";
import { NamedAggregations } from "../aggregation/namedAggregations.js";
import { ANSWER_COLUMNS, jsonOf, textOf, unfit } from "../columns.js";
import { defineScorer } from "../defineScorer.js";
import { basicParams } from "./basicParams.js";
import { CONTRACTIONS, NUMBER_WORDS, PUNCTUATION, SMALL_WORDS } from "./docvqaTables.js";

/** Llama Stack's `basic::docvqa`: the answer is one of the expected ones, after both are made alike. */
export const docvqaScorer = defineScorer({
  name: "basic::docvqa",
  description: "Llama Stack: the answer equals one of expected_answer (a JSON list) after normalising",
  columns: ANSWER_COLUMNS,
  params: z.strictObject(basicParams),
  judge(row) {
    const expected = answersSchema.safeParse(jsonOf(row, "expected_answer"));
    if (!expected.success)
      throw unfit("expected_answer", row.expected_answer, "a list of texts, or JSON text of one");
    const answer = documentAnswer(textOf(row, "generated_answer"));
    return { score: Number(expected.data.some((one) => documentAnswer(one) === answer)) };
  },
  aggregation: (params) => new NamedAggregations(params, ["accuracy"]),
});

const answersSchema = z.array(z.string());

/**
 * An answer without what does not count: marks, case, small words, spelt numbers, contractions. Its oddities are
 * the original's: a comma between digits deletes every mark that follows, and `A.` becomes the empty text.
 */
export function documentAnswer(text: string): string {
  let read = text;
  for (const mark of PUNCTUATION) {
    const deleted = read.includes(`${mark} `) || read.includes(` ${mark}`) || COMMA_IN_NUMBER.test(read);
    read = withoutPeriods(read.replaceAll(mark, deleted ? "" : " "));
  }
  return pythonWords(read.toLowerCase())
    .map((word) => NUMBER_WORDS.get(word) ?? word)
    .filter((word) => !SMALL_WORDS.has(word))
    .map((word) => CONTRACTIONS.get(word) ?? word)
    .join(" ");
}

const COMMA_IN_NUMBER = /\p{Nd},\p{Nd}/u;

/** Deletes periods with no digit behind them, so many at a time as the original. */
function withoutPeriods(text: string): string {
  let left = MOST_PERIODS;
  return text.replace(/\.(?!\p{Nd})/gu, (period) => (left-- > 0 ? "" : period));
}

const MOST_PERIODS = 32;
