import type { FastifyInstance } from "fastify";
import type { z } from "zod";
import { jobRoutes } from "../../../api/index.js";
import type { jobListQuerySchema, jobListSchema } from "../../../api/jobs.js";
import { ElenchusError } from "../../../base/index.js";
import { jobDetails, jobReply } from "../../evaluation/jobReplies.js";
import { hasEnded, type JobService, rowsOfJob } from "../../jobs/index.js";
import type { JsonObject } from "../../storage/index.js";
import { answer, answerEvents } from "../answer.js";
import { type EventStream, eventsFrom } from "../eventStream.js";
import type { ServiceContext } from "../serviceContext.js";

/** Jobs, whatever they were asked for by. */
export function addJobRoutes(
  app: FastifyInstance,
  { jobs, datasets, storage, functions }: ServiceContext,
): void {
  answer(app, jobRoutes.list, async ({ query }) => jobPage(jobs, query));
  answer(app, jobRoutes.get, async ({ params }) => jobDetails(await jobs.store.get(params.job_id)));
  answer(app, jobRoutes.cancel, async ({ params }) => jobDetails(await jobs.cancel(params.job_id)));
  answerEvents(app, jobRoutes.logs, async ({ params, query, request, signal }, open) => {
    await tellLog(jobs, params.job_id, eventsFrom(request, query.from), { open, signal });
  });
  answer(app, jobRoutes.stages, async ({ params }) => {
    await jobs.store.get(params.job_id);
    return { data: [...(await jobs.store.stages(params.job_id))] };
  });
  answer(app, jobRoutes.stageRows, async ({ params, query }) => {
    await jobs.store.get(params.job_id);
    const data: { index: number; row: unknown }[] = [];
    let place = 0;
    for await (const { index, row } of storage.rows(rowsOfJob(params.job_id), params.stage)) {
      if (place++ < query.offset) continue;
      data.push({ index, row });
      if (data.length > query.limit) break;
    }
    return { data: data.slice(0, query.limit), has_more: data.length > query.limit };
  });
  answer(app, jobRoutes.score, async ({ params, body }) => {
    const job = await jobs.store.get(params.job_id);
    if (job.kind !== "eval" || !hasEnded(job.status)) {
      throw new ElenchusError(
        "CONFLICT",
        `Job ${job.id} is of kind "${job.kind}" and ${job.status}. Answers of evaluations that have ended can be scored anew.`,
      );
    }
    const scorers = await functions.choose(body.scoring_functions);
    const asked = {
      source: { type: "job", job: job.id },
      row_limit: null,
      row_selection: "first",
      row_seed: 0,
      scorers,
    };
    return jobDetails((await jobs.submit({ kind: "score", params: asked as unknown as JsonObject })).job);
  });
  answer(app, jobRoutes.scoreDataset, async ({ body }) => {
    await datasets.get(body.dataset_id);
    const scorers = await functions.choose(body.scoring_functions);
    const asked = {
      source: { type: "dataset", dataset: body.dataset_id },
      row_limit: body.row_limit ?? null,
      row_selection: "first",
      row_seed: 0,
      scorers,
    };
    return jobDetails((await jobs.submit({ kind: "score", params: asked as unknown as JsonObject })).job);
  });
}

/** Jobs, the newest first, behind the one that a client had last. */
export async function jobPage(
  jobs: JobService,
  { limit, status, after }: z.output<typeof jobListQuerySchema>,
): Promise<z.output<typeof jobListSchema>> {
  const found = await jobs.store.list({
    first: "newest",
    limit: limit + 1,
    ...(status && { status }),
    ...(after && { after }),
  });
  return { data: found.slice(0, limit).map(jobReply), has_more: found.length > limit };
}

/** Lines as they come, then `end` with how the job stands. The id of an event is where a client goes on from. */
export async function tellLog(
  jobs: JobService,
  id: string,
  from: number,
  { open, signal }: { open: () => EventStream; signal: AbortSignal },
): Promise<void> {
  // Before anything is sent, so that an unknown job is an error like any other.
  await jobs.store.get(id);
  const stream = open();
  for await (const { index, time, text } of jobs.store.follow(id, { from, signal })) {
    await stream.send({ index, time, message: text }, "log", index + 1);
  }
  if (!signal.aborted) await stream.send(jobReply(await jobs.store.get(id)), "end");
}
