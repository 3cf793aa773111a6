import { z } from "zod";
import { aggregationParams, NamedAggregations } from "../aggregation/namedAggregations.js";
import { ANSWER_COLUMNS, textOf, textsOf } from "../columns.js";
import { defineScorer } from "../defineScorer.js";
import { boxedContent, sameMathematics } from "../mathematics/index.js";
import { lastNumber } from "../parsers/lastAnswer.js";

/**
 * Whether the answer is mathematically the expected one: read as LaTeX or plain notation and compared as numbers,
 * formulas, sets, intervals or relations. The answer is what the last box holds, else what follows "answer is",
 * else the whole text where it is a formula, else the last number.
 */
export const symbolicMathScorer = defineScorer({
  name: "symbolic_math",
  description: "1 where the final answer equals expected_answer as mathematics (LaTeX or plain)",
  columns: ANSWER_COLUMNS,
  params: z.strictObject({
    ...aggregationParams,
    /** Decimal places to which numbers with a point are rounded. */
    digits: z.int().min(0).max(15).default(6),
  }),
  judge(row, { digits }) {
    const answer = textOf(row, "generated_answer");
    const expected = textsOf(row, "expected_answer").map((text) => boxedContent(text, "last"));
    const picked = pickedAnswers(answer);
    const right = picked.find((one) => expected.some((gold) => sameMathematics(gold, one, { digits })));
    return { score: Number(right !== undefined), metadata: { parsed: right ?? picked[0] ?? null } };
  },
  aggregation: (params) => new NamedAggregations(params, ["accuracy"]),
});

/** Most telling first. A box is the answer and nothing beside it; without one there may be two readings. */
function pickedAnswers(text: string): string[] {
  const boxed = boxedContent(text, "last");
  if (boxed !== text) return [boxed];
  const said = [...text.matchAll(SAID)].at(-1)?.[1];
  if (said !== undefined) return readings(said);
  return text.trim().includes("\n") || text.length > LONGEST_FORMULA
    ? [lastNumber(text)].filter((one) => one !== null)
    : readings(text);
}

const SAID = /answer(?:\s+is)?\s*:?\s*([^\n]+)/giu;
/** Characters; a longer line is prose. */
const LONGEST_FORMULA = 120;

function readings(text: string): string[] {
  const whole = text.trim().replace(/[.。]$/u, "");
  const number = lastNumber(whole);
  // Prose around a number leaves the number; a formula is only itself.
  return number !== null && /\p{L}{3,}/u.test(whole) && !whole.includes("\\") ? [whole, number] : [whole];
}
