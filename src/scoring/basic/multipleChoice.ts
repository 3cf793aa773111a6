import { z } from "zod";
import { aggregationParams, NamedAggregations } from "../aggregation/namedAggregations.js";
import { ANSWER_COLUMNS, textOf, unfit } from "../columns.js";
import { defineScorer } from "../defineScorer.js";
import { choiceLetter } from "../parsers/choiceLetter.js";
import { optionCount } from "../parsers/optionCount.js";
import type { ScorerRow } from "../scorer.js";

/**
 * The letter that an answer settles on, as a whole token, in either case and any of the scripts of the original's
 * patterns, equals the expected one. Letters go as far as the row has options (`options` or `choices`), else to
 * `letters`.
 */
export const multipleChoiceScorer = defineScorer({
  name: "multiple_choice",
  description: "1 where the letter that the answer settles on is expected_answer; whole tokens, either case",
  columns: ANSWER_COLUMNS,
  params: z.strictObject({
    ...aggregationParams,
    /** Options of a row that does not say how many it has, 2 to 26. */
    letters: z.int().min(2).max(26).default(4),
  }),
  judge(row, { letters }) {
    const count = optionCount(row) ?? letters;
    const parsed = choiceLetter(textOf(row, "generated_answer"), count);
    return { score: Number(parsed === expectedLetter(row, count)), metadata: { parsed } };
  },
  aggregation: (params) => new NamedAggregations(params, ["accuracy"]),
});

/** @throws ROW_INVALID for what is no letter of an option */
function expectedLetter(row: ScorerRow, count: number): string {
  const text = textOf(row, "expected_answer").trim();
  const letter = /^\(?([A-Za-z])[).]?$/.exec(text)?.[1]?.toUpperCase();
  if (letter !== undefined && letter.charCodeAt(0) - FIRST < count) return letter;
  throw unfit("expected_answer", text, `a letter from A to ${String.fromCharCode(FIRST + count - 1)}`);
}

const FIRST = "A".charCodeAt(0);
