import type { ZodType } from "zod";
import type { JsonObject, JsonValue, Storage } from "../storage/storage.js";

/** Where a job stands; `jobStates.ts` has the table of what leads from one to another. */
export const JOB_STATUSES = ["scheduled", "in_progress", "completed", "failed", "cancelled"] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

/** How far a job is. */
export interface JobProgress {
  readonly done: number;
  /** Null while it is not known. */
  readonly total: number | null;
  /** Rows per second of the present worker; null before its first row. */
  readonly rate: number | null;
  /** Seconds, at that rate; null while it cannot be told. */
  readonly time_left: number | null;
}

/** Who works on a job, and until when nobody else may. */
export interface JobLease {
  readonly worker: string;
  /** Milliseconds since 1970, on the storage's clock. */
  readonly expires: number;
}

/** A job as it lies in the storage under the kind `job`. Times are ISO 8601 in UTC. */
export interface Job {
  readonly id: string;
  /** A name of `jobKinds`. */
  readonly kind: string;
  /** What its kind's schema made of the request. */
  readonly params: JsonObject;
  readonly status: JobStatus;
  readonly progress: JobProgress;
  /** Null unless a worker has it. */
  readonly lease: JobLease | null;
  /** How many workers were lost while they had it. */
  readonly lapses: number;
  readonly created_at: string;
  readonly started_at: string | null;
  readonly ended_at: string | null;
  readonly error: { readonly code: string; readonly message: string } | null;
  /** What the work gave; rows lie in the stages. */
  readonly result: JsonValue;
}

/**
 * The rows of one job. What a job finds in it after it was taken up again is what was finished before.
 * The shape of the task pipeline's own store.
 */
export interface JobStages {
  has(stage: string, index: number): Promise<boolean>;
  /** Stores and flushes a row; an index that has one keeps it. */
  append(stage: string, index: number, row: JsonValue): Promise<void>;
  /** In the order of their index. */
  rows(stage: string): AsyncIterable<{ readonly index: number; readonly row: JsonValue }>;
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
