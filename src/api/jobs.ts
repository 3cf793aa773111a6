import { z } from "zod";
import { countSchema } from "./json.js";

/** Where a job stands. */
export const JOB_STATUSES = ["scheduled", "in_progress", "completed", "failed", "cancelled"] as const;

const progressSchema = z.object({
  done: z.number(),
  total: z.number().nullable(),
  /** Rows per second; null before the first. */
  rate: z.number().nullable(),
  /** Seconds; null while it cannot be told. */
  time_left: z.number().nullable(),
});

const failureSchema = z.object({ code: z.string(), message: z.string() });

/** A job as Llama Stack shows it, and how far it is. */
export const jobSchema = z
  .object({
    job_id: z.string(),
    status: z.enum(JOB_STATUSES),
    kind: z.string(),
    progress: progressSchema,
    /** Times in ISO 8601, UTC. */
    created_at: z.string(),
    started_at: z.string().nullable(),
    ended_at: z.string().nullable(),
    error: failureSchema.nullable(),
  })
  .meta({ id: "Job" });

/** Its request and its result too. */
export const jobDetailsSchema = jobSchema
  .extend({ params: z.record(z.string(), z.unknown()), result: z.unknown() })
  .meta({ id: "JobDetails" });

export const jobListQuerySchema = z.object({
  status: z.enum(JOB_STATUSES).optional(),
  after: z.string().optional(),
  limit: countSchema.pipe(z.int().min(1).max(1000)).default(100),
});
export const jobListSchema = z.object({ data: z.array(jobSchema), has_more: z.boolean() });

export const stageListSchema = z.object({
  data: z.array(z.object({ stage: z.string(), count: z.number() })),
});
export const stageRowsSchema = z.object({
  data: z.array(z.object({ index: z.number(), row: z.unknown() })),
  has_more: z.boolean(),
});

export const pageQuerySchema = z.object({
  offset: countSchema.default(0),
  limit: countSchema.pipe(z.int().min(1).max(1000)).default(100),
});

export const logLineSchema = z.object({ index: z.number(), time: z.string(), message: z.string() });

export type JobReply = z.output<typeof jobSchema>;
export type JobDetails = z.output<typeof jobDetailsSchema>;
export type LogLine = z.output<typeof logLineSchema>;
