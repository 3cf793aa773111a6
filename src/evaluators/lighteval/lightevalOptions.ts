import { z } from "zod";
import { presets } from "./presets.js";

/** Keys of Plato's adapter, and those that being built in adds. */
export const lightevalOptions = z
  .strictObject({
    preset: z
      .enum(Object.keys(presets) as [string, ...string[]])
      .optional()
      .meta({ description: "A named list of tasks; `smollm_round_fast` where `tasks` is not given either." }),
    tasks: z.array(z.string().min(1)).min(1).optional().meta({
      description:
        "Tasks and groups in place of a preset: `[dialect:]name[|shots]`, or a task file. Plain `piqa` is `piqa_hf`.",
    }),
    max_samples: z.int().positive().optional().meta({
      description:
        "Documents per task, the first after lighteval's shuffle. As `limit`; all when neither is given.",
      unit: "documents",
    }),
    max_length: z.int().positive().optional().meta({
      description: "The most tokens that the model reads at once; its context length when absent.",
      unit: "tokens",
    }),
    batch_size: z
      .union([z.int().positive(), z.literal("auto")])
      .default(1)
      .meta({
        description:
          "How much is computed at once: so many rows of 512 tokens, or more of shorter ones; `auto` as the engine sees fit. No score depends on it.",
      }),
    chat_template: z
      .union([z.boolean(), z.literal("auto")])
      .default("auto")
      .meta({
        description: "Whether questions are turns of a chat; `auto`: where the tokenizer has a template.",
      }),
    fewshot_as_multiturn: z
      .boolean()
      .default(true)
      .meta({ description: "With a chat template: whether examples are turns of their own." }),
    system_prompt: z.string().optional().meta({ description: "What stands in front of everything." }),
    seed: z.int().optional().meta({ description: "Seed of the examples; the dialect's own when absent." }),
    stderr: z.enum(["correct", "lighteval"]).default("correct").meta({
      description:
        "`lighteval` divides bootstrapped standard errors once too often and averages those of groups, as lighteval does.",
    }),
    sources: z
      .string()
      .min(1)
      .optional()
      .meta({ description: "A sources.json that says which file holds which split of which task." }),
    show_progress: z.boolean().default(true).meta({ description: "Whether the log says how far it is." }),
    backend: z
      .string()
      .default("transformers")
      .refine((name) => name === "transformers" || name === "accelerate", {
        error: '"transformers" or "accelerate", which both mean the engine that is built in',
        params: { unsupported: true },
      })
      .meta({ description: "`transformers` or `accelerate`: both mean the engine that is built in." }),
    dtype: z
      .string()
      .optional()
      .refine((name) => name === undefined || name === "float32", {
        error: '"float32", the only type that is computed in',
        params: { unsupported: true },
      })
      .meta({ description: "`float32`." }),
    model_parallel: z
      .boolean()
      .default(false)
      .refine((parallel) => !parallel, {
        error: "false: a model is computed in one process",
        params: { unsupported: true },
      })
      .meta({ description: "`false`." }),
    device: z.string().min(1).optional().meta({
      description: "The back end that trainer.backend names: an evaluator computes where the model is.",
    }),
  })
  .refine(({ tasks, preset }) => tasks === undefined || preset === undefined, {
    error: "either tasks or a preset",
    path: ["tasks"],
  });

/** A table's options, and the common keys that the evaluator reads. */
export type LightevalConfig = Readonly<
  z.output<typeof lightevalOptions> & {
    limit?: number;
    data_dir?: string;
    primary_metric?: string;
  }
> &
  Readonly<Record<string, unknown>>;
