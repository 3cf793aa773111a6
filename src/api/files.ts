import { z } from "zod";
import { countSchema } from "./json.js";

export const FILE_PURPOSES = ["batch", "assistants", "eval", "batch_output"] as const;

export const fileSchema = z
  .object({
    id: z.string(),
    object: z.literal("file"),
    bytes: z.number(),
    /** Seconds since 1970. */
    created_at: z.number(),
    filename: z.string(),
    purpose: z.enum(FILE_PURPOSES),
    expires_at: z.number().nullable(),
  })
  .meta({ id: "File" });

export const cursorQuerySchema = z.object({
  after: z.string().nullish(),
  limit: countSchema.pipe(z.int().min(1).max(1000)).default(20),
  order: z.enum(["asc", "desc"]).nullish(),
  purpose: z.enum(FILE_PURPOSES).nullish(),
});

export const fileListSchema = z.object({
  object: z.literal("list"),
  data: z.array(fileSchema),
  first_id: z.string().nullable(),
  last_id: z.string().nullable(),
  has_more: z.boolean(),
});

export const deletedFileSchema = z.object({
  id: z.string(),
  object: z.literal("file"),
  deleted: z.boolean(),
});

export type StoredFile = z.output<typeof fileSchema>;
