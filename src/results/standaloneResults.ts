import { join } from "node:path";
import { ElenchusError, makeFolder, writeAtomic } from "../base/index.js";
import type { EvaluationOutcome } from "../evaluators/index.js";
import { writeSampleFiles } from "./evaluationFiles.js";
import { fileNamePart } from "./fileNames.js";
import { type ManifestInit, newManifest, readManifest, writeManifest } from "./manifest.js";
import { requireRunId } from "./runPaths.js";

/** Results of evaluators that ran outside a run. */
export interface StandaloneResults extends ManifestInit {
  readonly resultPath: string;
  /** `general.project` and `general.group`. */
  readonly project?: string | undefined;
  readonly group?: string | undefined;
  readonly outcomes: readonly EvaluationOutcome[];
  /** Of the weights; part of the names of sample files. Default 0. */
  readonly round?: number | undefined;
  /** Milliseconds since 1970. */
  readonly end: number;
}

/** `results.json`. */
export interface ResultsDocument {
  job: string;
  project: string;
  group: string;
  results: Record<string, Record<string, number>>;
}

/**
 * Writes `<project|general>/<group|default>/<run_id>/results.json`, a `run.json` beside it and samples where there are
 * some. An evaluator that gave no result has no metrics there.
 * @throws RUN_EXISTS when that job has results already; USAGE for an impossible id
 */
export async function writeStandaloneResults(
  results: StandaloneResults,
): Promise<{ path: string; document: ResultsDocument }> {
  const { runId, project = "general", group = "default", outcomes } = results;
  requireRunId(runId);
  const folder = join(results.resultPath, fileNamePart(project), fileNamePart(group), runId);
  const manifestPath = join(folder, "run.json");
  if ((await readManifest(manifestPath)) !== null) {
    throw new ElenchusError(
      "RUN_EXISTS",
      `The job "${runId}" has results already: ${folder}. Choose another --run-id.`,
      { details: { run_id: runId } },
    );
  }

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
  await writeSampleFiles(join(folder, "samples"), { round: results.round ?? 0, evaluations: [...outcomes] });
  await writeManifest(manifestPath, {
    ...newManifest(results),
    status: failed ? "failed" : "completed",
    end: new Date(results.end).toISOString(),
  });
  return { path, document };
}

function finite(metrics: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(metrics).filter(([, value]) => Number.isFinite(value)));
}
