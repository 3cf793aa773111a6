import { createHash, randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { Batch, CreateBatch } from "../../api/index.js";
import { ElenchusError } from "../../base/index.js";
import type { FileStore } from "../files/fileStore.js";
import { type Job, type JobService, rowsOfJob } from "../jobs/index.js";
import { jobSchema } from "../jobs/job.js";
import type { JsonObject, Storage } from "../storage/index.js";
import { BATCH_STAGES, batchFileIds, batchParamsSchema, batchResultSchema } from "./batchJob.js";

const DAY = 86_400;

/** Batches: jobs of kind `batch`, as OpenAI's protocol shows them. */
export class BatchStore {
  constructor(
    private readonly storage: Storage,
    private readonly jobs: JobService,
    private readonly files: FileStore,
  ) {}

  /**
   * Begins a batch, or gives the one that the idempotency key has begun.
   * @throws NOT_FOUND for the file; CONFLICT for a key that has begun another batch
   */
  async create({ idempotency_key: key, metadata, ...request }: CreateBatch): Promise<Batch> {
    await this.files.get(request.input_file_id);
    const params = { ...request, metadata: metadata ?? null };
    const id = key == null ? `batch_${randomUUID().replaceAll("-", "")}` : `batch_${digestOf(key)}`;
    const { job, created } = await this.jobs.submit({ kind: "batch", id, params: params as JsonObject });
    if (!created && !isDeepStrictEqual(job.params, params)) {
      throw new ElenchusError(
        "CONFLICT",
        "That idempotency_key has begun another batch. Give each request a key of its own.",
        { details: { param: "idempotency_key" } },
      );
    }
    return await this.#reply(job);
  }

  /** @throws NOT_FOUND */
  async get(id: string): Promise<Batch> {
    return await this.#reply(await this.#job(id));
  }

  /** The newest first. */
  async list({ after, limit }: { after?: string | undefined; limit: number }) {
    const found = await this.storage.list("job", {
      where: { field: "kind", equals: "batch" },
      first: "newest",
      limit: limit + 1,
      ...(after !== undefined && { after }),
    });
    const data: Batch[] = [];
    for (const { value } of found.slice(0, limit)) data.push(await this.#reply(jobSchema.parse(value)));
    return { data, more: found.length > limit };
  }

  /** @throws NOT_FOUND; JOB_ENDED */
  async cancel(id: string): Promise<Batch> {
    await this.#job(id);
    return await this.#reply(await this.jobs.cancel(id));
  }

  async #job(id: string): Promise<Job> {
    const job = await this.jobs.store.find(id);
    if (job?.kind === "batch") return job;
    throw new ElenchusError("NOT_FOUND", `Batch ${id} not found.`);
  }

  async #reply(job: Job): Promise<Batch> {
    const params = batchParamsSchema.parse(job.params);
    const errors = batchResultSchema.safeParse(job.result).data?.errors ?? failureOf(job);
    const status = statusOf(job, errors.length > 0);
    const owner = rowsOfJob(job.id);
    const [completed, failed] = [
      await this.storage.count(owner, BATCH_STAGES.answered),
      await this.storage.count(owner, BATCH_STAGES.failed),
    ];
    const ids = batchFileIds(job.id);
    const created = seconds(job.created_at)!;
    const ended = seconds(job.ended_at);
    return {
      id: job.id,
      object: "batch",
      endpoint: params.endpoint,
      errors: errors.length === 0 ? null : { object: "list", data: errors },
      input_file_id: params.input_file_id,
      completion_window: params.completion_window,
      status,
      output_file_id: await this.#fileId(ids.output, ended),
      error_file_id: await this.#fileId(ids.errors, ended),
      created_at: created,
      in_progress_at: seconds(job.started_at),
      expires_at: created + DAY,
      finalizing_at: null,
      completed_at: status === "completed" ? ended : null,
      failed_at: status === "failed" ? ended : null,
      expired_at: null,
      cancelling_at: null,
      cancelled_at: status === "cancelled" ? ended : null,
      request_counts: { total: job.progress.total ?? 0, completed, failed },
      metadata: params.metadata,
    };
  }

  /** Of a batch that goes on there is no file yet, or one of an earlier attempt. */
  async #fileId(id: string, ended: number | null): Promise<string | null> {
    if (ended === null) return null;
    return (await this.storage.get("file", id)) === undefined ? null : id;
  }
}

function statusOf(job: Job, refused: boolean): Batch["status"] {
  if (job.status === "completed") return refused ? "failed" : "completed";
  return job.status === "scheduled" ? "validating" : job.status;
}

function failureOf({ error }: Job) {
  return error === null ? [] : [{ code: error.code, message: error.message, line: null, param: null }];
}

function digestOf(key: string): string {
  return createHash("sha256").update(key).digest("hex").slice(0, 24);
}

function seconds(time: string | null): number | null {
  return time === null ? null : Math.floor(Date.parse(time) / 1000);
}
