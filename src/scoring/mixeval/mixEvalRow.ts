import { z } from "zod";

/**
 * A question of MixEval as its files hold it. `single-choice`, as its documentation writes, is the
 * `multiple-choice` of its data. A choice question's target is the 0-based place of the right option; a free-form
 * one's targets are texts of which any one is right. A lone target stands for a list of one.
 */
export const mixEvalRowSchema = z
  .looseObject({
    problem_type: z.enum(["free-form", "multiple-choice", "single-choice"]),
    context: z.unknown().optional(),
    prompt: z.string(),
    // Tables have the column in every row.
    options: z.preprocess(
      (value) => value ?? undefined,
      z.array(z.union([z.string(), z.number()]).transform(String)).optional(),
    ),
    target: z.preprocess(
      (value) => (Array.isArray(value) ? value : [value]),
      z.array(z.union([z.string(), z.number()])).min(1, "needs at least one target"),
    ),
    benchmark_name: z.string(),
  })
  .superRefine((row, context) => {
    if (row.problem_type === "free-form") return;
    if (row.options === undefined || row.options.length === 0) {
      context.addIssue({ code: "custom", path: ["options"], message: "a choice question needs its options" });
      return;
    }
    const gold = Number(row.target[0]);
    if (!Number.isInteger(gold) || gold < 0 || gold >= row.options.length) {
      context.addIssue({
        code: "custom",
        path: ["target"],
        message: `expected the place of an option, 0 to ${row.options.length - 1}, found ${JSON.stringify(row.target)}`,
      });
    }
  });

export type MixEvalRow = z.output<typeof mixEvalRowSchema>;

/** An answered question: what a line of a response file holds, `formated_input` (their spelling) included. */
export interface MixEvalResponse {
  readonly id: string;
  readonly row: MixEvalRow;
  readonly response: string;
  /** Everything that the line holds; absent where the answer comes from no file. */
  readonly fields?: Readonly<Record<string, unknown>> | undefined;
}

export function isChoice(row: Pick<MixEvalRow, "problem_type">): boolean {
  return row.problem_type !== "free-form";
}

/** A, B, C... for the options of a row, on from Z by code point as the original does. */
export function optionLetters(row: Pick<MixEvalRow, "options">): string[] {
  return (row.options ?? []).map((_, place) => String.fromCodePoint(65 + place));
}
