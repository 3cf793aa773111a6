import { setTimeout as sleep } from "node:timers/promises";
import { ElenchusError, ERROR_CATALOGUE, type ErrorCode } from "../../base/index.js";
import { hasEnded, type Job, type JobService } from "../jobs/index.js";

/** Between two looks, in milliseconds; longer and longer up to the last. */
const PAUSES = [20, 50, 100, 250] as const;

/**
 * Waits for a job that someone waits for: whoever goes away cancels it.
 * @throws what the job failed with; CONFLICT where someone else has cancelled it; the signal's reason
 */
export async function awaitJob(jobs: JobService, id: string, signal: AbortSignal): Promise<Job> {
  for (let turn = 0; ; turn++) {
    const job = await jobs.store.get(id);
    if (hasEnded(job.status)) return completed(job);
    try {
      await sleep(PAUSES[Math.min(turn, PAUSES.length - 1)], undefined, { signal });
    } catch {
      await jobs.cancel(id).catch(() => {});
      throw signal.reason;
    }
  }
}

/** @throws what the job failed with */
export function completed(job: Job): Job {
  if (job.status === "completed") return job;
  const { code = "CONFLICT", message = `Job ${job.id} is ${job.status}.` } = job.error ?? {};
  throw new ElenchusError(Object.hasOwn(ERROR_CATALOGUE, code) ? (code as ErrorCode) : "CONFLICT", message, {
    details: { job: job.id },
  });
}
