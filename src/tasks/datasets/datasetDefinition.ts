import { z } from "zod";

const columns = z.record(z.string(), z.string().min(1)).default({}).meta({
  description: "Columns that get another name: from the data's own to the new one.",
});
const identifier = z.string().min(1).max(200).meta({ description: "The data set's name." });

/** Rows in a file: at an address, in a `data:` URL, or on this machine where that is allowed. */
export const customDatasetSchema = z.strictObject({
  type: z.literal("custom"),
  identifier,
  url: z.string().min(1).meta({
    description: "An http(s) address, a `data:` URL, or a file where the reader may open files.",
  }),
  format: z.enum(["csv", "tsv", "jsonl", "json", "parquet", "xlsx"]).optional().meta({
    description: "What it is, where neither its name nor its type says so.",
  }),
  rename_columns_map: columns,
});

/** Rows of a hub. */
export const huggingfaceDatasetSchema = z.strictObject({
  type: z.literal("huggingface"),
  identifier,
  dataset_path: z
    .string()
    .min(1)
    .meta({ description: "The data set on the hub, `owner/name`, or a folder." }),
  dataset_name: z.string().min(1).nullish().meta({ description: "Its configuration." }),
  rename_columns_map: columns,
  kwargs: z
    .strictObject({
      split: z.string().min(1).default("train"),
      revision: z.string().min(1).optional(),
      /** Another word for `dataset_name`. */
      name: z.string().min(1).optional(),
      /** Programs of data sets are never run. */
      trust_remote_code: z.boolean().optional(),
    })
    .default({ split: "train" })
    .meta({ description: "Which split, and at which revision." }),
});

/** Rows as they are. */
export const rowsDatasetSchema = z.strictObject({
  type: z.literal("rows"),
  identifier,
  rows: z.array(z.record(z.string(), z.unknown())),
  rename_columns_map: columns,
});

/** A data set as it is registered and stored. */
export const datasetDefinitionSchema = z.discriminatedUnion("type", [
  customDatasetSchema,
  huggingfaceDatasetSchema,
  rowsDatasetSchema,
]);

export type DatasetDefinition = z.output<typeof datasetDefinitionSchema>;
export type CustomDatasetDefinition = z.output<typeof customDatasetSchema>;
export type HuggingfaceDatasetDefinition = z.output<typeof huggingfaceDatasetSchema>;
export type RowsDatasetDefinition = z.output<typeof rowsDatasetSchema>;
