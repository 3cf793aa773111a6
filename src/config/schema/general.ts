import { z } from "zod";

/** `[general]`: where a run lives and how it is grouped. */
export const generalSchema = z.strictObject({
  base_path: z.string().min(1).default("./runtime").meta({
    description: "Root of data, models, checkpoints and results. `--base` overrides it.",
  }),
  debug: z.boolean().default(false).meta({
    description: "A client that fails stops the run instead of being replaced or left out.",
  }),
  project: z.string().min(1).optional().meta({
    description: "Project under which standalone results are filed; `general` when absent.",
  }),
  group: z.string().min(1).optional().meta({
    description: "Group within the project; `default` when absent.",
  }),
  evaluate_round_zero: z.boolean().default(false).meta({
    description: "Test and evaluate the untrained model first and record it as row 0.",
  }),
});
