import { z } from "zod";

/** `[results]`: the columns of the record and where it is written. */
export const resultsSchema = z.strictObject({
  types: names(["round", "accuracy", "elapsed_time"]).meta({
    description:
      "First columns of the CSV, in this order. `evaluation_*` names may stand among them, which fixes their place.",
  }),
  result_path: z.string().min(1).optional().meta({
    description: "Folder of the record, under `general.base_path`; `results` when absent.",
  }),
  record_clients_accuracy: z.boolean().default(false).meta({
    description: "With `clients.do_test`: write each client's test into `<run_id>_accuracy.csv`.",
  }),
  plot: names(["round-accuracy", "elapsed_time-accuracy"]).meta({
    description: "Pairs of columns, x-y, worth a plot. Stored with the run.",
  }),
});

/** A comma-separated string or a list, always a list afterwards. */
function names(standard: string[]) {
  return z
    .union([z.string(), z.array(z.string())])
    .transform((given) =>
      (typeof given === "string" ? given.split(",") : given)
        .map((name) => name.trim())
        .filter((name) => name !== ""),
    )
    .refine((list) => list.length > 0, { error: "at least one name" })
    .refine((list) => new Set(list).size === list.length, { error: "each name once" })
    .default(standard);
}
