import { z } from "zod";
import { NamedAggregations } from "../aggregation/namedAggregations.js";
import { ANSWER_COLUMNS, textOf } from "../columns.js";
import { defineScorer } from "../defineScorer.js";
import { pythonPattern } from "../python/index.js";
import { ANSWER_LETTER, ANSWER_PREFIXES } from "./answerPrefixes.js";
import { regexParams } from "./basicParams.js";
import { firstGroup, regexList } from "./regexList.js";

/** The patterns of Llama Stack, in the order in which they are tried. */
export const MULTIPLE_CHOICE_REGEXES: readonly string[] = ANSWER_PREFIXES.map(
  (prefix) => `(?i)${prefix}${ANSWER_LETTER}`,
);

/**
 * Llama Stack's `basic::regex_parser_multiple_choice_answer`: the first pattern that is found anywhere gives its
 * group as the answer, case kept. `Answer: **B**` is none, `Answer: b` is not `B`; `multiple_choice` reads those.
 */
export const multipleChoiceRegexScorer = defineScorer({
  name: "basic::regex_parser_multiple_choice_answer",
  description: "Llama Stack: the letter behind `Answer:` and the like equals expected_answer",
  columns: ANSWER_COLUMNS,
  params: z.strictObject({
    ...regexParams,
    /** Tried in order; the first group is the answer. Python's notation. */
    parsing_regexes: regexList.default([...MULTIPLE_CHOICE_REGEXES]),
  }),
  begin(params) {
    const patterns = params.parsing_regexes.map((source) => pythonPattern(source));
    return {
      judge(row) {
        const expected = textOf(row, "expected_answer");
        const answer = firstGroup(patterns, textOf(row, "generated_answer"));
        return {
          score: Number(answer !== undefined && answer !== "" && answer === expected),
          metadata: { parsed: answer ?? null },
        };
      },
      aggregation: new NamedAggregations(params, ["accuracy"]),
    };
  },
});
