import { z } from "zod";
import { NamedAggregations } from "../aggregation/namedAggregations.js";
import { ANSWER_COLUMNS, textOf } from "../columns.js";
import { defineScorer } from "../defineScorer.js";
import { basicParams } from "./basicParams.js";

/** Llama Stack's `basic::subset_of`: the expected text stands somewhere in the answer, as it is. */
export const subsetOfScorer = defineScorer({
  name: "basic::subset_of",
  description: "Llama Stack: 1 where expected_answer stands in generated_answer",
  columns: ANSWER_COLUMNS,
  params: z.strictObject(basicParams),
  judge: (row) => ({
    score: Number(textOf(row, "generated_answer").includes(textOf(row, "expected_answer"))),
  }),
  aggregation: (params) => new NamedAggregations(params, ["accuracy"]),
});
