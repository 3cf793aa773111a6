import { z } from "zod";
import { aggregationParams } from "../aggregation/namedAggregations.js";
import { ANSWER_COLUMNS, textOf, textsOf } from "../columns.js";
import { defineScorer } from "../defineScorer.js";
import { TextAggregation } from "./textAggregation.js";

/** 1 - distance / length of the longer text, in code points (Levenshtein 1966); the best of several. */
export const levenshteinScorer = defineScorer({
  name: "levenshtein",
  description: "1 - edit distance / length of the longer text, in characters; the best of several",
  columns: ANSWER_COLUMNS,
  params: z.strictObject(aggregationParams),
  judge(row) {
    const answer = textOf(row, "generated_answer");
    const scores = textsOf(row, "expected_answer").map((expected) => likeness(expected, answer));
    return { score: Math.max(...scores) };
  },
  aggregation: (params) => new TextAggregation("levenshtein", params),
});

function likeness(one: string, other: string): number {
  const [a, b] = [[...one], [...other]];
  const longer = Math.max(a.length, b.length);
  return longer === 0 ? 1 : 1 - editDistance(a, b) / longer;
}

/** Insertions, deletions and replacements that make one list of the other; one row of the table at a time. */
export function editDistance<T>(one: readonly T[], other: readonly T[]): number {
  let before = Uint32Array.from({ length: other.length + 1 }, (_, place) => place);
  let current = new Uint32Array(other.length + 1);
  for (let row = 1; row <= one.length; row++) {
    current[0] = row;
    for (let column = 1; column <= other.length; column++) {
      const replaced = before[column - 1]! + Number(one[row - 1] !== other[column - 1]);
      current[column] = Math.min(replaced, before[column]! + 1, current[column - 1]! + 1);
    }
    [before, current] = [current, before];
  }
  return before[other.length]!;
}
