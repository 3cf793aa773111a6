import { z } from "zod";
import { NamedAggregations } from "../aggregation/namedAggregations.js";
import { ANSWER_COLUMNS, textOf } from "../columns.js";
import { defineScorer } from "../defineScorer.js";
import { pythonPattern } from "../python/index.js";
import { regexParams } from "./basicParams.js";
import { finalAnswer, firstAnswer } from "./mathAnswer.js";
import { FINAL_ANSWER } from "./mathTables.js";
import { regexList } from "./regexList.js";

/**
 * Llama Stack's `basic::regex_parser_math_response`: both answers are normalised as texts and compared. It is the
 * path that the original takes where no computer algebra is installed, so that scores do not hang on the machine.
 */
export const mathRegexScorer = defineScorer({
  name: "basic::regex_parser_math_response",
  description: "Llama Stack: the boxed final answer equals expected_answer after normalising the LaTeX",
  columns: ANSWER_COLUMNS,
  params: z.strictObject({
    ...regexParams,
    /** Where the answer stands: one pattern in Python's notation, whose first group it is. */
    parsing_regexes: regexList.length(1, "expected exactly one regular expression").default([FINAL_ANSWER]),
  }),
  begin(params) {
    const pattern = pythonPattern(params.parsing_regexes[0]!);
    return {
      judge(row) {
        const expected = finalAnswer(textOf(row, "expected_answer"), FIRST_LINE);
        const answer = finalAnswer(firstAnswer(textOf(row, "generated_answer")), pattern);
        return { score: Number(answer === expected), metadata: { parsed: answer, expected } };
      },
      aggregation: new NamedAggregations(params, ["accuracy"]),
    };
  },
});

const FIRST_LINE = pythonPattern(".*");
