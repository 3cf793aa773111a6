import { z } from "zod";
import {
  createDatasetSchema,
  datasetDefSchema,
  namedDatasetSchema,
  outcomeSchema,
} from "../datasetDefinitions.js";
import {
  createJobSchema,
  evalResultSchema,
  jobOutcomeSchema,
  namedJobSchema,
  runEvalTaskSchema,
  runScorerSchema,
} from "../evalTasks.js";
import { jobListQuerySchema, jobListSchema } from "../jobs.js";
import { route } from "../route.js";

const group = "tasks";

/** Data set definitions, whole tasks and their jobs. Failures are `{ status: "fail", msg, error }`. */
export const seedRoutes = {
  createDataset: route({
    method: "POST",
    path: "/datasets/create",
    scope: "write",
    group,
    summary: "Register a data set by its definition",
    body: createDatasetSchema,
    reply: outcomeSchema,
  }),
  getDataset: route({
    method: "GET",
    path: "/datasets/get",
    scope: "read",
    group,
    summary: "A data set's definition",
    query: namedDatasetSchema,
    reply: datasetDefSchema,
  }),
  deleteDataset: route({
    method: "POST",
    path: "/datasets/delete",
    scope: "write",
    group,
    summary: "Forget a data set",
    body: namedDatasetSchema,
    reply: outcomeSchema,
  }),
  listDatasets: route({
    method: "GET",
    path: "/datasets/list",
    scope: "read",
    group,
    summary: "All definitions",
    reply: z.array(datasetDefSchema),
  }),
  runEvalTask: route({
    method: "POST",
    path: "/evals/run_eval_task",
    scope: "run",
    group,
    summary: "Preprocess, generate, postprocess, score; replies when all is done",
    body: runEvalTaskSchema,
    reply: evalResultSchema,
  }),
  runScorer: route({
    method: "POST",
    path: "/evals/run_scorer",
    scope: "run",
    group,
    summary: "Judge prepared rows of a data set; replies when all is done",
    body: runScorerSchema,
    reply: evalResultSchema,
  }),
  listJobs: route({
    method: "GET",
    path: "/evals/jobs",
    scope: "read",
    group,
    summary: "All jobs, the newest first",
    query: jobListQuerySchema,
    reply: jobListSchema,
  }),
  createJob: route({
    method: "POST",
    path: "/evals/job/create",
    scope: "run",
    group,
    summary: "A task as a job; replies at once",
    body: createJobSchema,
    reply: jobOutcomeSchema,
  }),
  jobStatus: route({
    method: "GET",
    path: "/evals/job/status",
    scope: "read",
    group,
    summary: "How far a job is, and what it came to",
    query: namedJobSchema,
    reply: jobOutcomeSchema,
  }),
  jobLogs: route({
    method: "GET",
    path: "/evals/job/logs",
    scope: "read",
    group,
    summary: "A job's log as server-sent events, until it ends",
    query: namedJobSchema.extend({ from: z.coerce.number().pipe(z.int().nonnegative()).optional() }),
    media: "text/event-stream",
  }),
  cancelJob: route({
    method: "POST",
    path: "/evals/job/cancel",
    scope: "run",
    group,
    summary: "Cancel a job",
    body: namedJobSchema,
    reply: jobOutcomeSchema,
  }),
} as const;
