import type { DatasetDef, Outcome } from "../../api/datasetDefinitions.js";
import type { RowPage } from "../../api/datasets.js";
import type { StoredFile } from "../../api/files.js";
import type { JobDetails, JobReply } from "../../api/jobs.js";
import type { Row } from "../../api/json.js";
import type { ComparisonReply, Run, RunSummary, Samples } from "../../api/runs.js";
import type { ScoringFn, ScoringResult } from "../../api/scoring.js";
import { ask } from "./ask.js";

type Signal = AbortSignal | undefined;
const part = encodeURIComponent;

/** Which rows of a run; see the route. */
export interface RowsAsked {
  readonly from?: number;
  readonly limit?: number;
  readonly last?: number;
  readonly columns?: string;
}

/** Which samples. */
export interface SamplesAsked {
  readonly task?: string | undefined;
  readonly round?: number | undefined;
  readonly evaluator?: string | undefined;
  readonly metric?: string | undefined;
  readonly failures?: boolean;
  readonly passes?: boolean;
  readonly offset: number;
  readonly limit: number;
}

/** A page of what a stage of a job has stored. */
export interface StageRows {
  readonly data: readonly { readonly index: number; readonly row: unknown }[];
  readonly has_more: boolean;
}

/** All that the page asks of the service, in one place. */
export const service = {
  runs: (signal?: Signal) => ask<{ data: RunSummary[] }>("api/runs", { signal }),
  run: (id: string, rows: RowsAsked, signal?: Signal) =>
    ask<Run>(`api/runs/${part(id)}`, { query: { ...rows }, signal }),
  sampleFiles: (id: string, signal?: Signal) =>
    ask<{ data: { round: number; evaluator: string; task: string }[] }>(`api/runs/${part(id)}/tasks`, {
      signal,
    }),
  samples: (id: string, asked: SamplesAsked, signal?: Signal) =>
    ask<Samples>(`api/runs/${part(id)}/samples`, { query: { ...asked }, signal }),
  compare: (asked: { a: string; b: string; metric?: string | undefined }, signal?: Signal) =>
    ask<ComparisonReply>("api/compare", { query: asked, signal }),

  jobs: (after: string | undefined, signal?: Signal) =>
    ask<{ data: JobReply[]; has_more: boolean }>("api/jobs", { query: { after, limit: 100 }, signal }),
  job: (id: string, signal?: Signal) => ask<JobDetails>(`api/jobs/${part(id)}`, { signal }),
  cancelJob: (id: string) => ask<JobDetails>(`api/jobs/${part(id)}/cancel`, { method: "POST" }),
  stages: (id: string, signal?: Signal) =>
    ask<{ data: { stage: string; count: number }[] }>(`api/jobs/${part(id)}/stages`, { signal }),
  stageRows: (id: string, stage: string, page: { offset: number; limit: number }, signal?: Signal) =>
    ask<StageRows>(`api/jobs/${part(id)}/stages/${part(stage)}`, { query: page, signal }),

  datasets: (signal?: Signal) => ask<DatasetDef[]>("datasets/list", { signal }),
  datasetRows: (id: string, page: { start_index: number; limit: number }, signal?: Signal) =>
    ask<RowPage>(`v1/datasetio/iterrows/${part(id)}`, { query: page, signal }),
  defineDataset: (identifier: string, url: string) =>
    ask<Outcome>("datasets/create", {
      method: "POST",
      body: { dataset_def: { type: "custom", identifier, url } },
    }),
  registerRows: (identifier: string, rows: readonly Row[]) =>
    ask<unknown>("v1/datasets", {
      method: "POST",
      body: { dataset_id: identifier, purpose: "eval/question-answer", source: { type: "rows", rows } },
    }),
  deleteDataset: (identifier: string) =>
    ask<Outcome>("datasets/delete", { method: "POST", body: { dataset_identifier: identifier } }),
  upload: (file: File) => {
    const body = new FormData();
    // First, so that the service knows it when the file comes.
    body.set("purpose", "eval");
    body.set("file", file);
    // A large file over a slow line takes its time.
    return ask<StoredFile>("v1/files", { method: "POST", body, deadline: 30 * 60_000 });
  },

  scorers: (signal?: Signal) => ask<{ data: ScoringFn[] }>("v1/scoring-functions", { signal }),
  score: (rows: readonly Row[], name: string, params: Row | null, signal?: Signal) =>
    ask<{ results: Record<string, ScoringResult> }>("v1/scoring/score", {
      method: "POST",
      body: { input_rows: rows, scoring_functions: { [name]: params } },
      deadline: 10 * 60_000,
      signal,
    }),
} as const;
