import { z } from "zod";
// Past the index, which loads all scorers.
import { MIXEVAL_BENCHMARKS } from "../../scoring/mixeval/publishedNames.js";

/** Keys of the table. Rows of each benchmark are limited by the common key `limit`. */
export const mixEvalOptions = z.strictObject({
  version: z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}$/, "expected a day such as 2024-08-11")
    .optional()
    .meta({ description: "Which release; the newest there is when absent." }),
  repository: z.string().min(1).optional().meta({
    description:
      "Data set of the hub with releases, `owner/name[@revision]`, where `data_dir` is not given; `MixEval/MixEval` when absent.",
  }),
  benchmarks: z.array(z.enum(MIXEVAL_BENCHMARKS)).min(1).optional().meta({
    description:
      "`mixeval`, `mixeval_hard` or both; those that the release has when absent. A question of both is asked once.",
  }),
  parser: z.string().min(1).default("extract").meta({
    description: "How answers are read: `rule`, `extract`, `judge`, or a registered parser.",
  }),
  judge_model: z.unknown().optional().meta({
    description:
      "With the parser `judge`: who judges, as a reference (`https://host/v1#MODEL`, a folder, `RUN@ROUND`, `self`).",
  }),
  judge_concurrency: z
    .int()
    .min(1)
    .max(1024)
    .default(8)
    .meta({ description: "Questions to the judge at a time." }),
  base_model: z
    .union([z.boolean(), z.literal("auto")])
    .default("auto")
    .meta({
      description:
        "Whether five worked examples stand in front of each question, and answers are cut where the model goes on with questions of its own; `auto`: where the tokenizer has no chat template.",
    }),
  system_prompt: z
    .string()
    .optional()
    .meta({ description: "What stands in front of every question of a chat." }),
  max_new_tokens: z.int().positive().optional().meta({
    description:
      "The most tokens of an answer; 512 for chat models and 399 for base models when absent, as MixEval has it.",
    unit: "tokens",
  }),
});

/** A table's options, and the common keys that the evaluator reads. */
export type MixEvalConfig = Readonly<
  z.output<typeof mixEvalOptions> & { limit?: number; data_dir?: string; primary_metric?: string }
> &
  Readonly<Record<string, unknown>>;
