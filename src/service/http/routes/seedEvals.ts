import type { FastifyInstance } from "fastify";
import { type EvalResult, type JobOutcome, seedRoutes } from "../../../api/index.js";
import { awaitJob } from "../../evaluation/awaitJob.js";
import { requireParts } from "../../evaluation/evalJob.js";
import { jobDetails } from "../../evaluation/jobReplies.js";
import { evalParamsOf, scoreParamsOf } from "../../evaluation/seedTask.js";
import type { Job } from "../../jobs/index.js";
import type { JsonObject } from "../../storage/index.js";
import { answer, answerEvents } from "../answer.js";
import { eventsFrom } from "../eventStream.js";
import type { ServiceContext } from "../serviceContext.js";
import { jobPage, tellLog } from "./jobs.js";

/** Whole tasks: while the client waits, which is a job too, or as a job. */
export function addTaskRoutes(
  app: FastifyInstance,
  { jobs, datasets, functions, models }: ServiceContext,
): void {
  const submit = async (kind: string, params: object) =>
    (await jobs.submit({ kind, params: params as unknown as JsonObject })).job;

  answer(app, seedRoutes.runEvalTask, async ({ body, signal }) => {
    const params = await evalParamsOf(body, functions);
    await requireParts(params, datasets);
    await models.find(params.model);
    return evalResult(await awaitJob(jobs, (await submit("eval", params)).id, signal));
  });
  answer(app, seedRoutes.runScorer, async ({ body, signal }) => {
    const params = await scoreParamsOf(body, functions);
    await datasets.get(body.dataset_config.dataset_identifier);
    return evalResult(await awaitJob(jobs, (await submit("score", params)).id, signal));
  });
  answer(app, seedRoutes.listJobs, async ({ query }) => jobPage(jobs, query));
  answer(app, seedRoutes.createJob, async ({ body }) => {
    const params = await evalParamsOf(body, functions);
    await requireParts(params, datasets);
    await models.find(params.model);
    const job = await submit("eval", params);
    return outcome(job, `Job '${job.id}' created`);
  });
  answer(app, seedRoutes.jobStatus, async ({ query }) => {
    const job = await jobs.store.get(query.job_id);
    return outcome(job, `Job '${job.id}' is ${job.status}`);
  });
  answerEvents(app, seedRoutes.jobLogs, async ({ query, request, signal }, open) => {
    await tellLog(jobs, query.job_id, eventsFrom(request, query.from), { open, signal });
  });
  answer(app, seedRoutes.cancelJob, async ({ body }) => {
    const job = await jobs.cancel(body.job_id);
    return outcome(job, `Job '${job.id}' cancelled`);
  });
}

function outcome(job: Job, msg: string): JobOutcome {
  return { status: "success", msg, error: null, job_id: job.id, job: jobDetails(job) };
}

/** The figures, and the same as text for people. */
function evalResult({ result }: Job): EvalResult {
  const { metrics } = result as { metrics: Record<string, number | null> };
  const eval_result = { metrics };
  return { eval_result, formatted_report: JSON.stringify(eval_result, null, 4) };
}
