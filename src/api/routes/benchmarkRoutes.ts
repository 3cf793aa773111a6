import {
  benchmarkListSchema,
  benchmarkSchema,
  evaluateResponseSchema,
  evaluateRowsSchema,
  registerBenchmarkSchema,
  runBenchmarkSchema,
} from "../evaluation.js";
import { jobSchema } from "../jobs.js";
import { route } from "../route.js";

const group = "evaluation";

/** Llama Stack's benchmarks and their jobs; its later versions have them under `/v1alpha`. */
export const benchmarkRoutes = {
  list: route({
    method: "GET",
    path: "/v1/eval/benchmarks",
    aliases: ["/v1alpha/eval/benchmarks"],
    scope: "read",
    group,
    summary: "All benchmarks",
    reply: benchmarkListSchema,
  }),
  get: route({
    method: "GET",
    path: "/v1/eval/benchmarks/{benchmark_id}",
    aliases: ["/v1alpha/eval/benchmarks/{benchmark_id}"],
    scope: "read",
    group,
    summary: "One benchmark",
    reply: benchmarkSchema,
  }),
  register: route({
    method: "POST",
    path: "/v1/eval/benchmarks",
    aliases: ["/v1alpha/eval/benchmarks"],
    scope: "write",
    group,
    summary: "A data set with the scoring functions that judge answers to it",
    body: registerBenchmarkSchema,
  }),
  remove: route({
    method: "DELETE",
    path: "/v1/eval/benchmarks/{benchmark_id}",
    aliases: ["/v1alpha/eval/benchmarks/{benchmark_id}"],
    scope: "write",
    group,
    summary: "Forget a benchmark",
  }),
  run: route({
    method: "POST",
    path: "/v1/eval/benchmarks/{benchmark_id}/jobs",
    aliases: ["/v1alpha/eval/benchmarks/{benchmark_id}/jobs"],
    scope: "run",
    group,
    summary: "Evaluate a model as a job; replies at once",
    body: runBenchmarkSchema,
    reply: jobSchema,
  }),
  evaluate: route({
    method: "POST",
    path: "/v1/eval/benchmarks/{benchmark_id}/evaluations",
    aliases: ["/v1alpha/eval/benchmarks/{benchmark_id}/evaluations"],
    scope: "run",
    group,
    summary: "Evaluate a model on the rows of the request",
    body: evaluateRowsSchema,
    reply: evaluateResponseSchema,
  }),
  status: route({
    method: "GET",
    path: "/v1/eval/benchmarks/{benchmark_id}/jobs/{job_id}",
    aliases: ["/v1alpha/eval/benchmarks/{benchmark_id}/jobs/{job_id}"],
    scope: "read",
    group,
    summary: "How far a job is",
    reply: jobSchema,
  }),
  cancel: route({
    method: "DELETE",
    path: "/v1/eval/benchmarks/{benchmark_id}/jobs/{job_id}",
    aliases: ["/v1alpha/eval/benchmarks/{benchmark_id}/jobs/{job_id}"],
    scope: "run",
    group,
    summary: "Cancel a job",
  }),
  result: route({
    method: "GET",
    path: "/v1/eval/benchmarks/{benchmark_id}/jobs/{job_id}/result",
    aliases: ["/v1alpha/eval/benchmarks/{benchmark_id}/jobs/{job_id}/result"],
    scope: "read",
    group,
    summary: "What a completed job came to",
    reply: evaluateResponseSchema,
  }),
} as const;
