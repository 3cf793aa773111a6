import { type ZodType, z } from "zod";
import type { ResponseText } from "./responseText.js";

/** Whether a response, which is not blank, follows the instruction. */
export type Check = (response: ResponseText) => boolean;

/** One kind of instruction that a program can check. */
export interface Instruction {
  /** The arguments that a row gives it; null ones are dropped before. */
  readonly arguments: ZodType;
  /** The check for these arguments, made once per row. @param seed of what it draws, if it draws */
  check(given: unknown, seed: number): Check;
  /**
   * The checks that other draws would have given, for instructions that draw: a verdict on which they disagree
   * is unstable. Empty where nothing is drawn.
   */
  otherDraws(given: unknown, seed: number): Check[];
}

/** Declares an instruction; its functions get the arguments as the schema parsed them. */
export function instruction<Shape extends z.ZodRawShape>(
  shape: Shape,
  check: (given: z.output<z.ZodObject<Shape>>, seed: number) => Check,
  otherDraws?: (given: z.output<z.ZodObject<Shape>>, seed: number) => Check[],
): Instruction {
  const schema = z.strictObject(shape);
  type Given = z.output<z.ZodObject<Shape>>;
  return {
    arguments: schema,
    check: (given, seed) => check(given as Given, seed),
    otherDraws: (given, seed) => otherDraws?.(given as Given, seed) ?? [],
  };
}

/** A threshold: a number of zero or more. Tables give whole numbers as bigint too. */
export const threshold = z.preprocess(
  (value) => (typeof value === "bigint" ? Number(value) : value),
  z.number("expected a number").min(0, "expected 0 or more"),
);

export const relation = z.enum(["less than", "at least"], 'expected "less than" or "at least"');

export const filledText = z.string("expected a text").min(1, "expected a text that is not empty");

export const filledTexts = z
  .array(filledText, "expected a list of texts")
  .min(1, "expected a list that is not empty");

/** `less than` is strict, `at least` is not. */
export function holds(count: number, asked: z.output<typeof relation>, limit: number): boolean {
  return asked === "less than" ? count < limit : count >= limit;
}
