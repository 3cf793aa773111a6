import { z } from "zod";
import { identifierSchema, metadataSchema, rowSchema } from "./json.js";

/** What the rows of a data set are for. */
export const PURPOSES = ["post-training/messages", "eval/question-answer", "eval/messages-answer"] as const;

/** Where rows come from: an address, or the request itself. */
export const dataSourceSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("uri"), uri: z.string().min(1) }),
  z.object({ type: z.literal("rows"), rows: z.array(rowSchema) }),
]);

/** The published client leaves `type` out where it can be told from the rest. */
const givenSourceSchema = z.preprocess((given) => {
  if (typeof given !== "object" || given === null || "type" in given) return given;
  return { ...given, type: "rows" in given ? "rows" : "uri" };
}, dataSourceSchema);

export const registerDatasetSchema = z.object({
  purpose: z.enum(PURPOSES),
  source: givenSourceSchema,
  metadata: metadataSchema.nullish(),
  dataset_id: identifierSchema.nullish(),
});

export const datasetSchema = z
  .object({
    identifier: z.string(),
    provider_id: z.string(),
    provider_resource_id: z.string().nullable(),
    type: z.literal("dataset"),
    purpose: z.enum(PURPOSES),
    /** Of rows given in the request at most the first 100. */
    source: dataSourceSchema,
    metadata: metadataSchema,
  })
  .meta({ id: "Dataset" });

export const datasetListSchema = z.object({ data: z.array(datasetSchema) });

export const iterRowsQuerySchema = z.object({
  start_index: z.coerce.number().pipe(z.int().nonnegative()).nullish(),
  /** -1 or absent: as many as one reply may have. */
  limit: z.coerce.number().pipe(z.int().min(-1)).nullish(),
});

export const rowPageSchema = z.object({
  data: z.array(rowSchema),
  has_more: z.boolean(),
  url: z.string().nullable(),
});

export const appendRowsSchema = z.object({ rows: z.array(rowSchema) });

export type DataSource = z.output<typeof dataSourceSchema>;
export type RegisterDataset = z.output<typeof registerDatasetSchema>;
export type Dataset = z.output<typeof datasetSchema>;
export type RowPage = z.output<typeof rowPageSchema>;
