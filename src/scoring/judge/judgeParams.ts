import { z } from "zod";
import { aggregationParams } from "../aggregation/namedAggregations.js";
import { regexList } from "../basic/regexList.js";
import type { AskJudge } from "./judgeModel.js";

const ask = z.custom<AskJudge>((value) => typeof value === "function");

/** A reference to a model: its meaning is that of whoever opens it. In code also the function that asks. */
export const modelReference = z.union(
  [z.string().min(1), z.record(z.string(), z.unknown()), ask],
  "expected a model: its name, address or settings, or in code a function that asks it",
);

/** Dollars, or whatever the sums are counted in, per million tokens. */
const price = z.strictObject({ input: z.number().min(0), output: z.number().min(0) });

/** Params of a scorer that asks a model, apart from which model, prompt and patterns: presets settle those. */
const shared = {
  type: z.literal("llm_as_judge").optional(),
  ...aggregationParams,
  /** Said before the prompt, as the system's turn. Default: nothing. */
  system_prompt: z.string().optional(),
  /** Verdicts by name and what each is worth, null for nothing. Absent: verdicts are numbers, or any names. */
  categories: z.record(z.string(), z.number().nullable()).optional(),
  /** Other spellings of verdicts. */
  aliases: z.record(z.string(), z.string()).optional(),
  /** Numbers outside are no verdicts. */
  range: z.tuple([z.number(), z.number()]).optional(),
  temperature: z.number().min(0).default(0),
  max_tokens: z.int().positive().default(1024),
  seed: z.int().default(0),
  /** How often a row is asked until the answer has a verdict; each time with another seed. */
  attempts: z.int().min(1).max(20).default(1),
  /** Rows that are asked about at once. */
  concurrency: z.int().min(1).max(1024).default(8),
  /** What tokens cost, for the total. */
  price: price.optional(),
};

/** The params of a judge; what a preset settles may be left out. */
export function judgeParams(preset: JudgePreset) {
  const or = <S extends z.ZodType, D>(schema: S, settled: D | undefined) =>
    settled === undefined ? schema : schema.default(settled as never);
  return z.strictObject({
    ...shared,
    judge_model: modelReference,
    /** `{input_query}`, `{expected_answer}`, `{generated_answer}` and any other column are slots. */
    prompt_template: or(z.string().min(1), preset.prompt_template) as unknown as z.ZodDefault<z.ZodString>,
    /** Python's notation; tried in order, the first group is the verdict. */
    judge_score_regexes: or(regexList, preset.judge_score_regexes) as unknown as typeof regexList,
    categories: or(shared.categories, preset.categories) as typeof shared.categories,
    aliases: or(shared.aliases, preset.aliases) as typeof shared.aliases,
    range: or(shared.range, preset.range) as typeof shared.range,
  });
}

/** What a preset settles beforehand; a call may say otherwise. */
export interface JudgePreset {
  readonly prompt_template?: string;
  readonly judge_score_regexes?: readonly string[];
  readonly categories?: Readonly<Record<string, number | null>>;
  readonly aliases?: Readonly<Record<string, string>>;
  readonly range?: readonly [number, number];
}

export type JudgeParams = z.output<ReturnType<typeof judgeParams>>;
