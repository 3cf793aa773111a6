import { join } from "node:path";
import { ElenchusError, fileNamePart, makeFolder, writeAtomic } from "../base/index.js";
import type { EvaluationOutcome } from "../evaluators/index.js";
import { type ManifestInit, newManifest, readManifest, writeManifest } from "./manifest.js";
import { requireRunId } from "./runPaths.js";

/** Evaluators at work outside a run. */
export interface StandaloneJob {
  readonly resultPath: string;
  readonly runId: string;
  /** `general.project` and `general.group`. */
  readonly project?: string | undefined;
  readonly group?: string | undefined;
}

/** What they found. */
export interface StandaloneResults extends StandaloneJob, ManifestInit {
  readonly outcomes: readonly EvaluationOutcome[];
  /** Milliseconds since 1970. */
  readonly end: number;
}

const PROJECT = "general";
const GROUP = "default";
const MANIFEST = "run.json";

/** `results.json`. */
export interface ResultsDocument {
  job: string;
  project: string;
  group: string;
  results: Record<string, Record<string, number>>;
}

/**
 * Writes `<project|general>/<group|default>/<run_id>/results.json` and a `run.json` beside it. An evaluator
 * that gave no result has no metrics there.
 * @throws RUN_EXISTS when that job has results already; USAGE for an impossible id
 */
export async function writeStandaloneResults(
  results: StandaloneResults,
): Promise<{ path: string; document: ResultsDocument }> {
  const { runId, project = PROJECT, group = GROUP, outcomes } = results;
  await requireNewJob(results);
  const folder = standaloneFolder(results);
  const document: ResultsDocument = {
    job: runId,
    project,
    group,
    results: Object.fromEntries(outcomes.map(({ name, result }) => [name, finite(result?.metrics ?? {})])),
  };
  const failed = outcomes.some(({ status }) => status === "failed" || status === "timeout");
  await makeFolder(folder);
  const path = join(folder, "results.json");
  await writeAtomic(path, `${JSON.stringify(document, null, 2)}\n`);
  await writeManifest(join(folder, MANIFEST), {
    ...newManifest(results),
    status: failed ? "failed" : "completed",
    end: new Date(results.end).toISOString(),
  });
  return { path, document };
}

/**
 * Where a job's files lie: `<project|general>/<group|default>/<run_id>`.
 * @throws USAGE for an impossible id
 */
export function standaloneFolder({
  resultPath,
  runId,
  project = PROJECT,
  group = GROUP,
}: StandaloneJob): string {
  requireRunId(runId);
  return join(resultPath, fileNamePart(project), fileNamePart(group), runId);
}

/** Before anything is measured for it. @throws RUN_EXISTS when the job has results already; USAGE */
export async function requireNewJob(job: StandaloneJob): Promise<void> {
  const folder = standaloneFolder(job);
  if ((await readManifest(join(folder, MANIFEST))) === null) return;
  throw new ElenchusError(
    "RUN_EXISTS",
    `The job "${job.runId}" has results already: ${folder}. Choose another --run-id.`,
    { details: { run_id: job.runId } },
  );
}

function finite(metrics: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(metrics).filter(([, value]) => Number.isFinite(value)));
}
