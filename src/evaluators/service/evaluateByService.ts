import { stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { benchmarkRoutes, jobRoutes, ServiceClient, seedRoutes } from "../../api/index.js";
import { ElenchusError } from "../../base/index.js";
import { type Weights, writeCheckpoint } from "../../weights/index.js";
import type { EvaluationInput } from "../evaluationInput.js";
import type { EvaluationResult } from "../evaluationResult.js";
import { EvaluationPending } from "../notEvaluated.js";
import {
  askPending,
  type PendingJob,
  pendingFolder,
  removePending,
  removeUnwanted,
  writePendingJob,
} from "./pendingJobs.js";
import type { ServiceConfig } from "./serviceOptions.js";

/** Without a timeout of its table, as in a foreign loop. Seconds. */
const USUAL_TIMEOUT = 3600;

/**
 * Hands a round's model to a service and waits for the result, or leaves it pending. The model lies beside the run's
 * results until the job is done: its round's checkpoint is only written when the round is.
 */
export async function evaluateByService(
  config: ServiceConfig,
  request: EvaluationInput,
): Promise<EvaluationResult> {
  const runFolder = await runFolderOf(request);
  const client = clientOf(config);
  const job = await begun(client, config, request, runFolder);
  if (!config.wait) throw new EvaluationPending(`job ${job.job_id} at ${config.server}`);
  try {
    return await waited(job, config, request.signal);
  } catch (error) {
    await cancel(client, job);
    throw error;
  } finally {
    await removePending(runFolder, job);
  }
}

/** Hands the model over and asks for the job. Where there will be none the model does not stay. */
async function begun(
  client: ServiceClient,
  config: ServiceConfig,
  request: EvaluationInput,
  runFolder: string,
): Promise<PendingJob> {
  const { round } = request;
  const runId = basename(runFolder);
  await handOver(request, runFolder, runId);
  try {
    const submitted = Date.now();
    const job: PendingJob = {
      schema: 1,
      name: config.name ?? "service",
      type: "service",
      fail_on_error: config.fail_on_error === true,
      primary_metric: config.primary_metric ?? null,
      round,
      server: config.server,
      token_variable: config.token_variable ?? null,
      job_id: await submit(client, config, `run:${runId}@${round}`, request),
      submitted,
      deadline: submitted + (config.timeout ?? USUAL_TIMEOUT) * 1000,
    };
    await writePendingJob(runFolder, job);
    return job;
  } catch (error) {
    await removeUnwanted(runFolder, round);
    throw error;
  }
}

async function waited(
  job: PendingJob,
  { poll }: ServiceConfig,
  signal: AbortSignal,
): Promise<EvaluationResult> {
  for (;;) {
    const answer = await askPending(job, process.env, signal);
    if (answer.state === "done") return answer.result;
    if (answer.state === "failed") throw new ElenchusError("EVALUATION_FAILED", answer.message);
    await sleep(poll * 1000, undefined, { signal });
  }
}

/** Nobody waits for it any more. What the service says to that changes nothing. */
async function cancel(client: ServiceClient, { job_id }: PendingJob): Promise<void> {
  await client.call(jobRoutes.cancel, { params: { job_id } }, { timeout: 5000 }).catch(() => {});
}

function clientOf({ server: url, token_variable: variable }: ServiceConfig): ServiceClient {
  return new ServiceClient({ url, token: variable === undefined ? undefined : process.env[variable] });
}

/** @returns the job's id */
async function submit(
  client: ServiceClient,
  config: ServiceConfig,
  model: string,
  { signal, seed }: EvaluationInput,
): Promise<string> {
  const { benchmark, dataset, processor, scorers, sampling, limit = -1 } = config;
  const sampling_params = sampling;
  if (benchmark !== undefined) {
    const benchmark_config = {
      eval_candidate: { type: "model" as const, model, sampling_params },
      ...(limit > 0 && { num_examples: limit }),
    };
    const reply = await client.call(
      benchmarkRoutes.run,
      { params: { benchmark_id: benchmark }, body: { benchmark_config } },
      { signal },
    );
    return reply.job_id;
  }
  const eval_task_config = {
    dataset_config: {
      dataset_identifier: dataset!,
      ...(limit > 0 && { row_limit: limit, kwargs: { seed } }),
    },
    processor_config: { processor_identifier: processor! },
    generation_config: { model, sampling_params },
    scoring_config: { scorer_config_list: scorers.map((scorer_name) => ({ scorer_name })) },
  };
  const { job_id, msg } = await client.call(seedRoutes.createJob, { body: { eval_task_config } }, { signal });
  if (job_id !== null) return job_id;
  throw new ElenchusError(
    "SERVICE_INVALID",
    `The service made no job of the request: ${msg ?? "it does not say why"}.`,
  );
}

/** The folder of the run that is under way. @throws CAPABILITY_MISSING where the model is of no run */
async function runFolderOf({ answersFolder }: EvaluationInput): Promise<string> {
  const folder = answersFolder === undefined ? undefined : dirname(answersFolder);
  const recorded = folder !== undefined && (await stat(join(folder, "run.json")).catch(() => undefined));
  if (folder !== undefined && recorded) return folder;
  throw new ElenchusError(
    "CAPABILITY_MISSING",
    "A service is handed the model of a run, and this is none. Use `elenchus run`, or `elenchus evaluate RUN --rounds`.",
  );
}

async function handOver({ model, round }: EvaluationInput, runFolder: string, runId: string): Promise<void> {
  const { weights } = (model ?? {}) as { weights?: () => Weights };
  if (typeof weights !== "function") {
    throw new ElenchusError(
      "CAPABILITY_MISSING",
      "The model has no weights that could be handed to a service.",
    );
  }
  await writeCheckpoint(pendingFolder(runFolder), {
    runId,
    model: (model as { name?: string }).name ?? "model",
    round,
    random: {},
    clocks: {},
    scalar: null,
    primary: null,
    weights: weights.call(model),
    row: null,
    state: new Map(),
  });
}
