import { z } from "zod";
import { aggregationParams } from "../aggregation/namedAggregations.js";
import { ANSWER_COLUMNS, numberOf } from "../columns.js";
import { defineScorer } from "../defineScorer.js";
import { TextAggregation } from "./textAggregation.js";

/**
 * How near two numbers are: 1 - |e - a| / (|e| + |a|), 1 where both are 0 (Braintrust's measure); with `tolerance`
 * whether they differ by no more than that, relative to the expected one, or absolutely where that is 0.
 */
export const numericDifferenceScorer = defineScorer({
  name: "numeric_difference",
  description: "how near the answer's number is: 1 - |e - a| / (|e| + |a|), or within a tolerance",
  columns: ANSWER_COLUMNS,
  params: z.strictObject({
    ...aggregationParams,
    /** Relative; scores are then 0 or 1. */
    tolerance: z.number().min(0).optional(),
  }),
  judge(row, { tolerance }) {
    const [answer, expected] = [numberOf(row, "generated_answer"), numberOf(row, "expected_answer")];
    const difference = Math.abs(expected - answer);
    const metadata = { difference };
    if (tolerance !== undefined) {
      const allowed = expected === 0 ? tolerance : tolerance * Math.abs(expected);
      return { score: Number(difference <= allowed), metadata };
    }
    const size = Math.abs(expected) + Math.abs(answer);
    return { score: size === 0 ? 1 : 1 - difference / size, metadata };
  },
  aggregation: (params) => new TextAggregation("numeric_difference", params),
});
