import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { ElenchusError, type ErrorCode, type Registry } from "../../base/index.js";
import type { JsonObject, JsonValue, Storage, StoredDocument } from "../storage/index.js";
import { type Job, type JobKind, type JobProgress, type JobStatus, jobSchema } from "./job.js";
import { JobLogs, type LogLine } from "./jobLogs.js";
import { parseParams } from "./jobParams.js";
import { hasEnded, type JobEvent, statusAfter } from "./jobStates.js";

/** What a job is made of. */
export interface JobRequest {
  readonly kind: string;
  readonly params: JsonObject;
  /** Default a new one. The same id is the same job: asking twice makes one. */
  readonly id?: string;
}

/** Which jobs, and in which order. */
export interface JobListOptions {
  readonly status?: JobStatus;
  readonly first?: "oldest" | "newest";
  readonly after?: string;
  readonly limit?: number;
}

const KIND = "job";
const NOTHING_DONE: JobProgress = { done: 0, total: null, rate: null, time_left: null };
const MOST_LAPSES = 3;
/** How often a log that is followed is looked at. Milliseconds. */
const LOOK = 250;

/** The owner of a job's rows in the storage, by the job's id. */
export function rowsOfJob(id: string): string {
  return `job/${id}`;
}

/** Jobs as they lie in a storage. Every change is one of the table in `jobStates.ts`, made by comparing and setting. */
export class JobStore {
  readonly #storage: Storage;

  /** What is said about each job. */
  readonly logs: JobLogs;

  constructor(storage: Storage) {
    this.#storage = storage;
    this.logs = new JobLogs(storage);
  }

  /**
   * Stores a new job.
   * @returns it, or the one that has that id already
   * @throws NAME_UNKNOWN for the kind, JOB_PARAMS
   */
  async create(
    { kind, params, id = `job-${randomUUID()}` }: JobRequest,
    kinds: Registry<JobKind>,
  ): Promise<{ job: Job; created: boolean }> {
    parseParams(kinds.lookup(kind), kind, params);
    const job: Job = {
      id,
      kind,
      params,
      status: "scheduled",
      progress: NOTHING_DONE,
      lease: null,
      lapses: 0,
      created_at: timeOf(await this.#storage.now()),
      started_at: null,
      ended_at: null,
      error: null,
      result: null,
    };
    for (;;) {
      if (await this.#storage.create(KIND, id, job as JsonObject)) return { job, created: true };
      const present = await this.find(id);
      if (present !== undefined) return { job: present, created: false };
    }
  }

  async find(id: string): Promise<Job | undefined> {
    const found = await this.#storage.get(KIND, id);
    return found && jobOf(found);
  }

  /** @throws JOB_UNKNOWN */
  async get(id: string): Promise<Job> {
    const job = await this.find(id);
    if (job !== undefined) return job;
    throw new ElenchusError(
      "JOB_UNKNOWN",
      `There is no job ${JSON.stringify(id)}. Ask for the list of jobs.`,
    );
  }

  async list({ status, ...rest }: JobListOptions = {}): Promise<Job[]> {
    const where = status === undefined ? {} : { where: { field: "status", equals: status } };
    return (await this.#storage.list(KIND, { ...rest, ...where })).map(jobOf);
  }

  /** The jobs that wait for a worker, oldest first. */
  async waiting(): Promise<Job[]> {
    const now = await this.#storage.now();
    const begun = await this.list({ status: "in_progress" });
    const scheduled = await this.list({ status: "scheduled" });
    return [...begun.filter(({ lease }) => lease === null || lease.expires <= now), ...scheduled];
  }

  /**
   * Ends a job for good. Its worker learns of it at its next heart beat and aborts.
   * @throws JOB_UNKNOWN, JOB_ENDED
   */
  async cancel(id: string): Promise<Job> {
    const now = await this.#storage.now();
    const cancelled = await this.#change(id, "cancel", (job) => ended(job, now));
    if (cancelled !== undefined) return cancelled;
    const { status } = await this.get(id);
    throw new ElenchusError(
      "JOB_ENDED",
      `Job ${JSON.stringify(id)} is ${status}: only a job that has not ended can be cancelled.`,
    );
  }

  /**
   * Removes a job that has ended, its rows and its log.
   * @returns false, and removes nothing, where it has not ended
   * @throws JOB_UNKNOWN
   */
  async remove(id: string): Promise<boolean> {
    if (!hasEnded((await this.get(id)).status)) return false;
    await this.#storage.removeRows(rowsOfJob(id));
    await this.logs.remove(id);
    return this.#storage.remove(KIND, id);
  }

  /**
   * Takes a job for a worker. One with which too many workers were lost fails with JOB_LOST.
   * @param seconds how long the lease holds without a beat
   * @returns undefined where it is another's, has ended or is unknown
   */
  async claim(id: string, worker: string, seconds: number): Promise<Job | undefined> {
    const now = await this.#storage.now();
    const lost = (job: Job) => job.lapses + (job.lease === null ? 0 : 1);
    const free = ({ lease }: Job) => lease === null || lease.expires <= now;
    await this.#change(id, "fail", (job) => {
      if (!free(job) || lost(job) <= MOST_LAPSES) return undefined;
      const message = `${lost(job)} workers were lost while they had the job, the last ${job.lease?.worker}. See whether they ran out of memory.`;
      return {
        ...ended(job, now),
        lapses: lost(job),
        error: { code: "JOB_LOST" satisfies ErrorCode, message },
      };
    });
    const lease = { worker, expires: now + seconds * 1000 };
    return this.#change(
      id,
      "claim",
      (job) => free(job) && { ...job, lease, lapses: lost(job), started_at: job.started_at ?? timeOf(now) },
    );
  }

  /** Renews a lease. @returns the job as it is now; where it is not this worker's any more, without its lease */
  async beat(id: string, worker: string, seconds: number, progress: JobProgress): Promise<Job | undefined> {
    const now = await this.#storage.now();
    const lease = { worker, expires: now + seconds * 1000 };
    const renewed = await this.#change(id, "beat", (job) => own(job, worker) && { ...job, lease, progress });
    return renewed ?? this.find(id);
  }

  /** Lets go of a job, so that another worker may take it at once. */
  async release(id: string, worker: string, progress: JobProgress): Promise<void> {
    await this.#change(id, "release", (job) => own(job, worker) && { ...job, lease: null, progress });
  }

  /** @returns undefined where it is not this worker's any more */
  async complete(
    id: string,
    worker: string,
    progress: JobProgress,
    result: JsonValue,
  ): Promise<Job | undefined> {
    const now = await this.#storage.now();
    return this.#change(
      id,
      "complete",
      (job) => own(job, worker) && { ...ended({ ...job, progress }, now), result },
    );
  }

  /** @returns undefined where it is not this worker's any more */
  async fail(
    id: string,
    worker: string,
    progress: JobProgress,
    error: NonNullable<Job["error"]>,
  ): Promise<Job | undefined> {
    const now = await this.#storage.now();
    return this.#change(
      id,
      "fail",
      (job) => own(job, worker) && { ...ended({ ...job, progress }, now), error },
    );
  }

  /**
   * The lines of a job's log as they come, to the end of the job.
   * @throws JOB_UNKNOWN
   */
  async *follow(id: string, options: { from?: number; signal?: AbortSignal } = {}): AsyncGenerator<LogLine> {
    const { from = 0, signal } = options;
    for (let next = from; signal?.aborted !== true; ) {
      // Asked for first: what is logged before the end is in the log when the end is seen.
      const over = hasEnded((await this.get(id)).status);
      for (const line of await this.logs.lines(id, next)) {
        yield line;
        next = line.index + 1;
      }
      if (over) return;
      await pause(LOOK, undefined, { signal }).catch(() => {});
    }
  }

  /** The stages of a job that have rows. */
  stages(id: string): Promise<{ readonly stage: string; readonly count: number }[]> {
    return this.#storage.stages(rowsOfJob(id));
  }

  async #change(
    id: string,
    event: JobEvent,
    change: (job: Job) => Job | undefined | false,
  ): Promise<Job | undefined> {
    for (;;) {
      const found = await this.#storage.get(KIND, id);
      if (found === undefined) return undefined;
      const job = jobOf(found);
      const status = statusAfter(job.status, event);
      const changed = status !== undefined && change({ ...job, status });
      if (!changed) return undefined;
      if (await this.#storage.replace(KIND, id, found.version, changed as JsonObject)) return changed;
    }
  }
}

function own(job: Job, worker: string): boolean {
  return job.lease?.worker === worker;
}

function ended(job: Job, now: number): Job {
  return { ...job, lease: null, ended_at: timeOf(now), progress: { ...job.progress, time_left: null } };
}

function jobOf({ value }: StoredDocument): Job {
  return jobSchema.parse(value);
}

function timeOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
