import { z } from "zod";

export const BATCH_ENDPOINTS = ["/v1/chat/completions", "/v1/completions"] as const;

export const createBatchSchema = z.object({
  input_file_id: z.string().min(1),
  endpoint: z.enum(BATCH_ENDPOINTS),
  completion_window: z.literal("24h"),
  metadata: z.record(z.string(), z.string()).nullish(),
  /** The same key with the same request is the same batch; with another request it is a conflict. */
  idempotency_key: z.string().min(1).max(512).nullish(),
});

const moment = z.number().nullable();

const batchErrorSchema = z.object({
  code: z.string(),
  message: z.string(),
  /** From 1. */
  line: z.number().nullable(),
  param: z.string().nullable(),
});

/** Times in seconds since 1970. */
export const batchSchema = z
  .object({
    id: z.string(),
    object: z.literal("batch"),
    endpoint: z.string(),
    errors: z.object({ object: z.literal("list"), data: z.array(batchErrorSchema) }).nullable(),
    input_file_id: z.string(),
    completion_window: z.string(),
    status: z.enum([
      "validating",
      "failed",
      "in_progress",
      "finalizing",
      "completed",
      "expired",
      "cancelling",
      "cancelled",
    ]),
    output_file_id: z.string().nullable(),
    error_file_id: z.string().nullable(),
    created_at: z.number(),
    in_progress_at: moment,
    expires_at: moment,
    finalizing_at: moment,
    completed_at: moment,
    failed_at: moment,
    expired_at: moment,
    cancelling_at: moment,
    cancelled_at: moment,
    request_counts: z.object({ total: z.number(), completed: z.number(), failed: z.number() }),
    metadata: z.record(z.string(), z.string()).nullable(),
  })
  .meta({ id: "Batch" });

export const batchListSchema = z.object({
  object: z.literal("list"),
  data: z.array(batchSchema),
  first_id: z.string().nullable(),
  last_id: z.string().nullable(),
  has_more: z.boolean(),
});

export type CreateBatch = z.output<typeof createBatchSchema>;
export type Batch = z.output<typeof batchSchema>;
export type BatchError = z.output<typeof batchErrorSchema>;
