import { join } from "node:path";
import { ElenchusError } from "../base/index.js";

const LONGEST_ID = 200;

/** Where the files of a run lie. */
export interface RunFiles {
  readonly csv: string;
  /** Per client, `<run_id>_accuracy.csv`. */
  readonly clients: string;
  /** `<run_id>/`, which holds all that follows. */
  readonly folder: string;
  readonly manifest: string;
  readonly evaluations: string;
  readonly artifacts: string;
  readonly samples: string;
  /** Answers of language models, kept for another evaluation of the same weights. */
  readonly answers: string;
}

/**
 * The files of a run in a results folder.
 * @throws USAGE when the id cannot be a file name
 */
export function runPaths(resultPath: string, runId: string): RunFiles {
  requireRunId(runId);
  const folder = join(resultPath, runId);
  return {
    csv: join(resultPath, `${runId}.csv`),
    clients: join(resultPath, `${runId}_accuracy.csv`),
    folder,
    manifest: join(folder, "run.json"),
    evaluations: join(folder, "evaluations"),
    artifacts: join(folder, "artifacts"),
    samples: join(folder, "samples"),
    answers: join(folder, "answers"),
  };
}

/** `<config name>-<YYYYMMDDTHHMMSSZ>`; characters of the name that a run id cannot have become `-`. */
export function defaultRunId(configName: string, milliseconds: number): string {
  const time = new Date(milliseconds).toISOString().replace(/[-:]|\.\d+/g, "");
  return `${runIdStem(configName)}-${time}`;
}

/** A configuration's name as it begins the run ids made from it. */
export function runIdStem(configName: string): string {
  const stem = configName.replace(/[^A-Za-z0-9._-]+/g, "-").replace(/^[^A-Za-z0-9]+/, "");
  return stem.slice(0, LONGEST_ID - 20) || "run";
}

/**
 * Demands an id that is a plain file name, and none that another run's per-client file would have.
 * @throws USAGE
 */
export function requireRunId(runId: string): void {
  const sound = /^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(runId) && runId.length <= LONGEST_ID;
  if (sound && !runId.endsWith("_accuracy")) return;
  throw new ElenchusError(
    "USAGE",
    `${JSON.stringify(runId)} cannot be a run id: expected at most ${LONGEST_ID} letters, digits, ".", "_" and "-", a letter or digit first, and not "_accuracy" at the end.`,
    { details: { run_id: runId } },
  );
}
