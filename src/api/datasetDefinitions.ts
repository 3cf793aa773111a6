import { z } from "zod";
import { identifierSchema } from "./json.js";

const renamesSchema = z.record(z.string(), z.string()).nullish();

/** A data set by its definition: a file, an address or a data URL, or a repository of a hub. */
export const datasetDefSchema = z
  .discriminatedUnion("type", [
    z.object({
      type: z.literal("custom"),
      identifier: identifierSchema,
      url: z.string().min(1),
      rename_columns_map: renamesSchema,
    }),
    z.object({
      type: z.literal("huggingface"),
      identifier: identifierSchema,
      dataset_path: z.string().min(1),
      dataset_name: z.string().nullable(),
      rename_columns_map: renamesSchema,
      /** `split`, `revision`. */
      kwargs: z.record(z.string(), z.unknown()).default({}),
    }),
  ])
  .meta({ id: "DatasetDef" });

export const createDatasetSchema = z.object({ dataset_def: datasetDefSchema });
export const namedDatasetSchema = z.object({ dataset_identifier: z.string().min(1) });

/** What became of a request: `msg` for people, `error` (null on success) for programs. */
export const outcomeSchema = z
  .object({
    status: z.enum(["success", "fail"]),
    msg: z.string(),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
  })
  .meta({ id: "Outcome" });

export type DatasetDef = z.output<typeof datasetDefSchema>;
export type Outcome = z.output<typeof outcomeSchema>;
