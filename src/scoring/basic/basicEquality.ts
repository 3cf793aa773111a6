import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { NamedAggregations } from "../aggregation/namedAggregations.js";
import { ANSWER_COLUMNS, presentValue } from "../columns.js";
import { defineScorer } from "../defineScorer.js";
import { basicParams } from "./basicParams.js";

/** Llama Stack's `basic::equality`: both values are the same, of whatever kind; nothing is trimmed. */
export const basicEqualityScorer = defineScorer({
  name: "basic::equality",
  description: "Llama Stack: 1 where both answers are the same value, kind included",
  columns: ANSWER_COLUMNS,
  params: z.strictObject(basicParams),
  judge: (row) => ({
    score: Number(
      isDeepStrictEqual(presentValue(row, "generated_answer"), presentValue(row, "expected_answer")),
    ),
  }),
  aggregation: (params) => new NamedAggregations(params, ["accuracy"]),
});
