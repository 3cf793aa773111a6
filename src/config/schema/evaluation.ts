import { z } from "zod";
import "./documentation.js";

/** The keys that every `[evaluation]` table understands; all others are its evaluator's own options. */
export const evaluationSchema = z.object({
  type: z.string().min(1).meta({ description: "Registered evaluator." }),
  name: z.string().optional().meta({
    description: "Tells evaluators apart in columns and files; `type` when absent.",
  }),
  fail_on_error: z.boolean().default(false).meta({
    description: "A failure of this evaluator ends the run after the row is written, with exit status 1.",
  }),
  every: z.int().positive().default(1).meta({
    description: "Due in rounds divisible by it, and always in the last round.",
    unit: "rounds",
  }),
  timeout: z.number().positive().default(3600).meta({
    description: "Longer than this is a failure.",
    unit: "s",
  }),
  on_clients: z.boolean().default(false).meta({
    description:
      "Also evaluate local models after client tests, in rounds divisible by `every` and in round `trainer.rounds`. Needs `clients.do_test`.",
  }),
  primary_metric: z.string().min(1).optional().meta({
    description: "The metric that stands for the result; the evaluator's own when absent.",
  }),
  target: z.number().optional().meta({
    description: "End the run when the primary metric reaches it in its direction.",
  }),
  log_samples: z.boolean().default(false).meta({
    description: "Write per-sample files: `<run_id>/samples/<round>-<name>-<task>.jsonl`.",
  }),
  confidence: z
    .number()
    .refine((share) => share > 0 && share < 1, { error: "a number above 0 and below 1" })
    .optional()
    .meta({
      description:
        "Add columns `_ci_low` and `_ci_high` to every number with a known standard error: intervals that hold the true number with this chance, such as 0.95. None when absent.",
    }),
  limit: z
    .int()
    .min(-1)
    .refine((limit) => limit !== 0, { error: "-1 or a positive integer" })
    .default(-1)
    .meta({
      description: "Examples per task or data set: a seeded sample, the same rows every round. -1: all.",
      unit: "examples",
    }),
  data_dir: z.string().min(1).optional().meta({
    description:
      "Folder where tasks find their rows without a network, relative to the current folder. Of evaluators that run tasks.",
  }),
});
