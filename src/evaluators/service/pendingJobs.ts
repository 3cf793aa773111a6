import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { jobRoutes, ServiceClient } from "../../api/index.js";
import {
  ElenchusError,
  fileNamePart,
  makeFolder,
  messageOf,
  namesIn,
  writeAtomic,
} from "../../base/index.js";
import type { PipelineResult } from "../../tasks/index.js";
import { checkpointPath } from "../../weights/index.js";
import type { EvaluationResult } from "../evaluationResult.js";
import { pipelineResult } from "../task/taskResult.js";

const pendingSchema = z.object({
  schema: z.literal(1),
  /** `name` and `type` of the evaluator's table. */
  name: z.string(),
  type: z.string(),
  fail_on_error: z.boolean(),
  primary_metric: z.string().nullable(),
  round: z.int().min(0),
  server: z.string(),
  token_variable: z.string().nullable(),
  job_id: z.string(),
  /** Milliseconds since 1970: when it was handed over, and until when the run's end waits for it. */
  submitted: z.number(),
  deadline: z.number(),
});

/** A job that a round waits for. */
export type PendingJob = z.output<typeof pendingSchema>;

/** The folder of a run's pending jobs, in which their models lie too. */
export function pendingFolder(runFolder: string): string {
  return join(runFolder, "pending");
}

export async function writePendingJob(runFolder: string, job: Omit<PendingJob, "schema">): Promise<void> {
  const folder = pendingFolder(runFolder);
  await makeFolder(folder);
  await writeAtomic(join(folder, fileOf(job)), `${JSON.stringify({ schema: 1, ...job }, null, 2)}\n`);
}

/** The jobs that a run waits for, by round. @throws RECORD_CORRUPT */
export async function readPendingJobs(runFolder: string): Promise<PendingJob[]> {
  const folder = pendingFolder(runFolder);
  const jobs: PendingJob[] = [];
  for (const name of await namesIn(folder)) {
    if (!/^\d+-.*\.json$/.test(name)) continue;
    try {
      jobs.push(pendingSchema.parse(JSON.parse(await readFile(join(folder, name), "utf8"))));
    } catch (error) {
      throw new ElenchusError(
        "RECORD_CORRUPT",
        `${join(folder, name)} does not say which job a round waits for: ${messageOf(error)}. Remove it to go without that job.`,
      );
    }
  }
  return jobs.sort((one, other) => one.round - other.round);
}

/** Forgets a job, and its model once no other job needs it. */
export async function removePending(runFolder: string, job: PendingJob): Promise<void> {
  await rm(join(pendingFolder(runFolder), fileOf(job)), { force: true });
  await removeUnwanted(runFolder, job.round);
}

/** Removes the model of a round that no job needs. */
export async function removeUnwanted(runFolder: string, round: number): Promise<void> {
  const left = await readPendingJobs(runFolder);
  if (left.some((job) => job.round === round)) return;
  await rm(checkpointPath(pendingFolder(runFolder), round), { force: true });
}

/** What became of a job. */
export type CollectedJob =
  | { readonly state: "waiting" }
  | { readonly state: "done"; readonly result: EvaluationResult; readonly seconds: number }
  | { readonly state: "failed"; readonly code: string; readonly message: string; readonly seconds: number };

/**
 * Asks the service about a job.
 * @param environment where its token is
 * @throws SERVICE_UNREACHABLE, SERVICE_INVALID; what the service refuses
 */
export async function askPending(
  job: PendingJob,
  environment: Readonly<Record<string, string | undefined>>,
  signal?: AbortSignal,
): Promise<CollectedJob> {
  const { server: url, token_variable: variable, job_id, submitted, name, type } = job;
  const token = variable === null ? undefined : environment[variable];
  const found = await new ServiceClient({ url, token }).call(
    jobRoutes.get,
    { params: { job_id } },
    { signal },
  );
  const { status, result, error, ended_at } = found;
  if (status === "scheduled" || status === "in_progress") return { state: "waiting" };
  const seconds = Math.max(0, ((ended_at === null ? Date.now() : Date.parse(ended_at)) - submitted) / 1000);
  if (status === "completed") {
    try {
      const measured = resultSchema.parse(result) as unknown as PipelineResult;
      const metadata = { server: url, job_id, name };
      const primary = job.primary_metric ?? undefined;
      return {
        state: "done",
        result: pipelineResult(measured, { evaluator: type, primary, metadata }),
        seconds,
      };
    } catch (thrown) {
      const code = thrown instanceof ElenchusError ? thrown.code : "SERVICE_INVALID";
      return {
        state: "failed",
        code,
        message: `The job ${job_id} gave no usable result: ${messageOf(thrown)}`,
        seconds,
      };
    }
  }
  const { code = "EVALUATION_FAILED", message = `it was ${status}` } = error ?? {};
  return { state: "failed", code, message: `The job ${job_id} at ${url} ${status}: ${message}`, seconds };
}

const metricsSchema = z.record(z.string(), z.number().nullable()).nullable();

/** What of a job's result is read. */
const resultSchema = z.looseObject({
  rows: z.object({ total: z.number(), used: z.number(), answered: z.number() }),
  shortfall: z.string().optional(),
  failures: z.array(z.unknown()),
  scorers: z.array(
    z.looseObject({
      label: z.string(),
      name: z.string(),
      metrics: metricsSchema,
      details: z
        .record(z.string(), metricsSchema)
        .nullish()
        .transform((details) => details ?? null),
      judged: z.number(),
      unjudged: z.number(),
    }),
  ),
});

function fileOf({ round, name }: Pick<PendingJob, "round" | "name">): string {
  return `${round}-${fileNamePart(name)}.json`;
}
