import { z } from "zod";
import { ElenchusError } from "../base/index.js";
import { AccuracyAggregation } from "./aggregation/accuracy.js";
import { defineScorer } from "./defineScorer.js";

/** 1 where the answer is the expected one, or one of the expected ones, character for character. */
export const equalityScorer = defineScorer({
  name: "equality",
  description: "1 where generated_answer equals expected_answer, or one of a list of them",
  columns: ["generated_answer", "expected_answer"],
  params: z.strictObject({}),
  judge: (row) => {
    const answer = requireText(row.generated_answer, "generated_answer");
    const expected = Array.isArray(row.expected_answer) ? row.expected_answer : [row.expected_answer];
    if (expected.length === 0) {
      throw new ElenchusError(
        "ROW_INVALID",
        "expected_answer is an empty list: expected at least one text, as nothing can equal none.",
      );
    }
    const texts = expected.map((one) => requireText(one, "expected_answer"));
    return { score: Number(texts.includes(answer)) };
  },
  aggregation: () => new AccuracyAggregation(),
});

function requireText(value: unknown, column: string): string {
  if (typeof value === "string") return value;
  const found =
    value === undefined ? "is missing" : `is ${JSON.stringify(value)?.slice(0, 60) ?? String(value)}`;
  throw new ElenchusError("ROW_INVALID", `${column} ${found}: expected a text.`);
}
