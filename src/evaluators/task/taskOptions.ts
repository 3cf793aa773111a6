import { z } from "zod";
import { evalTaskSchema } from "../../tasks/pipeline/evalTask.js";

const { row_limit: _, row_seed: __, ...shape } = evalTaskSchema.shape;

/** An evaluation as a table; how many rows are taken is the common key `limit`. */
export const taskOptions = z.strictObject({
  ...shape,
  row_seed: z.int().optional().meta({ description: "Of the sample; the run's own when absent." }),
  batch_size: z.int().positive().default(32).meta({
    description: "Rows that are asked about at once.",
    unit: "rows",
  }),
  row_deadline: z.number().min(0.1).max(86_400).default(60).meta({
    description: "How long a scorer may compute on one row; a row that takes longer could not be judged.",
    unit: "s",
  }),
  sources: z.string().min(1).optional().meta({
    description: "A sources.json that says which file holds which split of which benchmark task.",
  }),
});

/** A table's options, and the common keys that the evaluator reads. */
export type TaskConfig = Readonly<
  z.output<typeof taskOptions> & { limit?: number; data_dir?: string; primary_metric?: string }
> &
  Readonly<Record<string, unknown>>;
