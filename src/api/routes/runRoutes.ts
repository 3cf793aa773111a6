import { z } from "zod";
import {
  jobDetailsSchema,
  jobListQuerySchema,
  jobListSchema,
  pageQuerySchema,
  stageListSchema,
  stageRowsSchema,
} from "../jobs.js";
import { countSchema } from "../json.js";
import { route } from "../route.js";
import {
  comparisonQuerySchema,
  comparisonSchema,
  runListSchema,
  runQuerySchema,
  runSchema,
  sampleFilesSchema,
  samplesQuerySchema,
  samplesSchema,
} from "../runs.js";
import { scoringFunctionsSchema } from "../scoring.js";

/** Runs of the federation as they are recorded, also while they go on. */
export const runRoutes = {
  list: route({
    method: "GET",
    path: "/api/runs",
    scope: "read",
    group: "runs",
    summary: "All runs, the newest first",
    reply: runListSchema,
  }),
  get: route({
    method: "GET",
    path: "/api/runs/{run_id}",
    scope: "read",
    group: "runs",
    summary: "Columns and rows of a run, from a row on",
    query: runQuerySchema,
    reply: runSchema,
  }),
  live: route({
    method: "GET",
    path: "/api/runs/{run_id}/live",
    scope: "read",
    group: "runs",
    summary: "Rows as they are recorded, as server-sent events, until the run ends",
    query: z.object({ from: countSchema.optional() }),
    media: "text/event-stream",
  }),
  sampleFiles: route({
    method: "GET",
    path: "/api/runs/{run_id}/tasks",
    scope: "read",
    group: "runs",
    summary: "Rounds and tasks of which samples were logged",
    reply: sampleFilesSchema,
  }),
  samples: route({
    method: "GET",
    path: "/api/runs/{run_id}/samples",
    scope: "read",
    group: "runs",
    summary: "What examples were asked, answered and scored",
    query: samplesQuerySchema,
    reply: samplesSchema,
  }),
  compare: route({
    method: "GET",
    path: "/api/compare",
    scope: "read",
    group: "runs",
    summary: "Is it better? One round against another, sample by sample where samples were logged",
    query: comparisonQuerySchema,
    reply: comparisonSchema,
  }),
} as const;

/** Jobs with what they have stored. */
export const jobRoutes = {
  list: route({
    method: "GET",
    path: "/api/jobs",
    scope: "read",
    group: "jobs",
    summary: "All jobs, the newest first",
    query: jobListQuerySchema,
    reply: jobListSchema,
  }),
  get: route({
    method: "GET",
    path: "/api/jobs/{job_id}",
    scope: "read",
    group: "jobs",
    summary: "A job with its request and its result",
    reply: jobDetailsSchema,
  }),
  cancel: route({
    method: "POST",
    path: "/api/jobs/{job_id}/cancel",
    scope: "run",
    group: "jobs",
    summary: "Cancel a job",
    reply: jobDetailsSchema,
  }),
  logs: route({
    method: "GET",
    path: "/api/jobs/{job_id}/logs",
    scope: "read",
    group: "jobs",
    summary: "A job's log as server-sent events, until it ends",
    query: z.object({ from: countSchema.optional() }),
    media: "text/event-stream",
  }),
  stages: route({
    method: "GET",
    path: "/api/jobs/{job_id}/stages",
    scope: "read",
    group: "jobs",
    summary: "The stages of which a job has stored rows",
    reply: stageListSchema,
  }),
  stageRows: route({
    method: "GET",
    path: "/api/jobs/{job_id}/stages/{stage}",
    scope: "read",
    group: "jobs",
    summary: "The rows of a stage",
    query: pageQuerySchema,
    reply: stageRowsSchema,
  }),
  score: route({
    method: "POST",
    path: "/api/jobs/{job_id}/score",
    scope: "run",
    group: "jobs",
    summary:
      "Judge the stored answers of a job with other scorers, without generating anew; a job of its own",
    body: z.object({ scoring_functions: scoringFunctionsSchema }),
    reply: jobDetailsSchema,
  }),
  scoreDataset: route({
    method: "POST",
    path: "/api/jobs/score",
    scope: "run",
    group: "jobs",
    summary: "Judge the prepared rows of a data set as a job",
    body: z.object({
      dataset_id: z.string().min(1),
      scoring_functions: scoringFunctionsSchema,
      row_limit: z.int().positive().nullish(),
    }),
    reply: jobDetailsSchema,
  }),
} as const;
