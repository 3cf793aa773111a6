import { type ZodType, z } from "zod";
import type { JsonObject, JsonValue, Storage, StoredRow } from "../storage/storage.js";

/** Where a job stands; `jobStates.ts` has the table of what leads from one to another. */
export const JOB_STATUSES = ["scheduled", "in_progress", "completed", "failed", "cancelled"] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

const progressSchema = z.object({
  done: z.number(),
  /** Null while it is not known. */
  total: z.number().nullable(),
  /** Rows per second of the present worker; null before its first row. */
  rate: z.number().nullable(),
  /** Seconds, at that rate; null while it cannot be told and when the job has ended. */
  time_left: z.number().nullable(),
});
/** How far a job is. */
export type JobProgress = Readonly<z.infer<typeof progressSchema>>;

const json = z.custom<JsonValue>((value) => value !== undefined);
const jsonObject = z.custom<JsonObject>((value) => typeof value === "object" && value !== null);

/** A job as it lies in the storage under the kind `job`. Times are ISO 8601 in UTC. */
export const jobSchema = z.object({
  id: z.string(),
  /** A name of `jobKinds`. */
  kind: z.string(),
  /** What was asked for, as its kind's schema takes it. */
  params: jsonObject,
  status: z.enum(JOB_STATUSES),
  progress: progressSchema,
  /** The worker that has it, and the time, in milliseconds on the storage's clock, up to which nobody else may. */
  lease: z.object({ worker: z.string(), expires: z.number() }).nullable(),
  /** How many workers were lost while they had it. */
  lapses: z.int(),
  created_at: z.string(),
  started_at: z.string().nullable(),
  ended_at: z.string().nullable(),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  /** What the work gave; rows lie in the stages. */
  result: json,
});
export type Job = Readonly<z.infer<typeof jobSchema>>;

/**
 * The rows of one job, by stage; what a job finds in them when it is taken up again is what was finished before. Any
 * `StageStore` of the tasks' pipeline, with the stages of other kinds of jobs too.
 */
export interface JobStages {
  has(stage: string, index: number): Promise<boolean>;
  /** Stores and flushes a row, plain JSON; an index that has one keeps it. */
  append(stage: string, index: number, row: unknown): Promise<void>;
  /** In the order of their index. */
  rows(stage: string): AsyncIterable<StoredRow>;
}

/** What the work of a job is handed. */
export interface JobWork<Params> {
  readonly id: string;
  readonly params: Params;
  readonly stages: JobStages;
  readonly storage: Storage;
  /** Aborts when the job is cancelled, its lease lost or the worker stopped; the work then throws or returns soon. */
  readonly signal: AbortSignal;
  /** Says how far the work is, rows of earlier attempts included. Cheap: call it for every row. */
  progress(done: number, total?: number): void;
  /** Adds a line to the job's log. Never hand it a secret. */
  log(message: string): void;
}

/** A kind of job: what it takes and how it is done. It may be done again from any point, by another process. */
export interface JobKind<Params = unknown> {
  readonly params: ZodType<Params>;
  /** @returns the job's result, JSON; large things belong into stages */
  run(work: JobWork<Params>): Promise<JsonValue>;
}
