import { z } from "zod";
import { ElenchusError, optionFaults } from "../base/index.js";

/** How evaluations are run; keys of their `[evaluation]` table. */
export const settingsSchema = z.object({
  block_size: z.int().positive().optional().meta({
    description: "The most tokens of a text that are read at once; the model's context length when absent.",
    unit: "tokens",
  }),
  batch_size: z.int().positive().default(16).meta({
    description: "Rows that are handed to the model at once.",
    unit: "rows",
  }),
  reduce: z.enum(["mean", "sum", "none"]).default("mean").meta({
    description:
      "What becomes of the values of rows: their mean (of perplexity and bits per byte the ratio of totals), their sum, or with `none` all of them, beside the mean.",
  }),
  rolling: z.boolean().default(false).meta({
    description:
      "Perplexity and bits per byte read whole texts, window after window, instead of the first `block_size` tokens.",
  }),
  compat: z.enum(["theseus"]).optional().meta({
    description: "Score as Theseus does, for numbers to be compared with its own.",
  }),
  temperature: z.number().min(0).default(0).meta({ description: "Of rollouts; 0 is greedy." }),
  top_k: z.int().min(0).default(0).meta({ description: "Of rollouts: draws among so many tokens; 0: all." }),
  top_p: z.number().gt(0).max(1).default(1).meta({ description: "Of rollouts: the share of the nucleus." }),
  stop: z.array(z.string().min(1)).default([]).meta({ description: "Texts that end a rollout." }),
  samples_per_prompt: z.int().positive().default(1).meta({
    description: "Of rollouts: answers per row, one after the other.",
  }),
});

/** Settings with their defaults. */
export type EvaluationSettings = Readonly<z.output<typeof settingsSchema>>;

/** Those that differ from the defaults. */
export type SettingsInput = z.input<typeof settingsSchema>;

/** @throws CONFIG_VALUE naming what does not fit */
export function evaluationSettings(input: SettingsInput = {}): EvaluationSettings {
  const { data, error } = settingsSchema.safeParse(input);
  if (data !== undefined) return data;
  const faults = optionFaults(error, input, { schema: settingsSchema });
  throw new ElenchusError("CONFIG_VALUE", `Evaluations cannot be run so: ${faults.join("; ")}.`);
}
