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
  mirrors: z
    .array(z.enum(["tensorboard", "mlflow", "comet"]))
    .refine((list) => new Set(list).size === list.length, { error: "each name once" })
    .default([])
    .meta({ description: "Other places that get every number of every row." }),
  mlflow_url: z
    .url({ protocol: /^https?$/ })
    .optional()
    .meta({
      description: "Of the MLflow tracking server; `MLFLOW_TRACKING_URI` when absent.",
    }),
  comet_url: z
    .url({ protocol: /^https?$/ })
    .default("https://www.comet.com")
    .meta({
      description: "Of Comet. Its key is in `COMET_API_KEY`.",
    }),
  comet_workspace: z.string().min(1).optional().meta({
    description: "Workspace at Comet; `COMET_WORKSPACE` when absent.",
  }),
  plot: names(["round-accuracy", "elapsed_time-accuracy"]).meta({
    description: "Pairs of columns, x-y, that `results --plot` draws where no `--metric` is named.",
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
