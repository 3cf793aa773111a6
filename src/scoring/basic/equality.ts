import { z } from "zod";
import { aggregationParams, NamedAggregations } from "../aggregation/namedAggregations.js";
import { ANSWER_COLUMNS, textOf, textsOf } from "../columns.js";
import { defineScorer } from "../defineScorer.js";

/** 1 where the answer is the expected one, or one of the expected ones, character for character. */
export const equalityScorer = defineScorer({
  name: "equality",
  description: "1 where generated_answer equals expected_answer, or one of a list of them",
  columns: ANSWER_COLUMNS,
  params: z.strictObject(aggregationParams),
  judge: (row) => {
    const answer = textOf(row, "generated_answer");
    return { score: Number(textsOf(row, "expected_answer").includes(answer)) };
  },
  aggregation: (params) => new NamedAggregations(params, ["accuracy"]),
});
