import { stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { type Clock, ElenchusError, type Logger } from "../base/index.js";
import type { Config } from "../config/index.js";
import {
  changeText,
  defaultRunId,
  findRun,
  newestRun,
  type RecordedRun,
  requireSameRun,
  runIds,
  runPaths,
} from "../results/index.js";
import {
  type Checkpoint,
  type CheckpointHeader,
  newestCheckpoint,
  readCheckpoint,
} from "../weights/index.js";
import type { PreparedConfig } from "./preparedRun.js";
import type { RunRequest } from "./runRequest.js";

/** Where a run begins: at its first round, or where an earlier attempt stopped. */
export interface StartingPoint {
  readonly runId: string;
  /** True when the run has a CSV already. */
  readonly exists: boolean;
  /** True when nothing is left to do. */
  readonly finished: boolean;
  readonly csv: string;
  /** Folder of its checkpoints. */
  readonly checkpoints: string;
  readonly checkpoint: (Checkpoint & CheckpointHeader) | null;
}

/**
 * Finds the run to continue, or names a new one.
 * @throws RUN_EXISTS, RUN_NOT_FOUND, RESUME_REFUSED, CHECKPOINT_INVALID
 */
export async function startingPoint(
  request: Pick<RunRequest, "runId" | "resume">,
  prepared: PreparedConfig,
  { clock, logger }: { clock: Clock; logger: Logger },
): Promise<StartingPoint> {
  const { paths, name, config } = prepared;
  if (request.resume !== true) return newRun(request.runId ?? defaultRunId(name, clock.now()), prepared);

  const run = await recordedRun(request.runId, prepared);
  if (run === null) return newRun(request.runId!, prepared);
  for (const change of run.manifest === null ? [] : requireSameRun(run.manifest.config, config)) {
    logger.warn(`${changeText(change)}: rows from here on are made with the new value; run.json says so`);
  }
  const folder = join(paths.checkpoints, run.runId);
  const newest = await newestCheckpoint(folder);
  const checkpoint = newest === null ? null : await readCheckpoint(newest.path);
  return {
    runId: run.runId,
    exists: true,
    finished: run.manifest?.status === "completed" && isComplete(checkpoint, config),
    csv: run.paths.csv,
    checkpoints: folder,
    checkpoint,
  };
}

async function newRun(runId: string, { paths }: PreparedConfig): Promise<StartingPoint> {
  const { csv } = runPaths(paths.results, runId);
  if ((await runIds(paths.results)).includes(runId)) {
    throw new ElenchusError(
      "RUN_EXISTS",
      `The run "${runId}" exists already: ${csv}. Continue it with --resume, or choose another --run-id.`,
      { details: { run_id: runId, csv } },
    );
  }
  const checkpoints = join(paths.checkpoints, runId);
  return { runId, exists: false, finished: false, csv, checkpoints, checkpoint: null };
}

/** The run to continue; null where the one that is named was killed before it had a CSV. */
async function recordedRun(
  runId: string | undefined,
  { paths, name }: PreparedConfig,
): Promise<RecordedRun | null> {
  if (runId !== undefined) {
    if (await neverExisted(runId, paths.results)) return null;
    const run = await findRun(runId, paths.results);
    if (run.paths.csv === runPaths(paths.results, run.runId).csv) return run;
    throw new ElenchusError(
      "RUN_NOT_FOUND",
      `${run.paths.csv} lies outside the results folder of this configuration, ${paths.results}, and cannot be continued there. Set results.result_path or --base to where the run is.`,
    );
  }
  const newest = await newestRun(name, paths.results);
  if (newest !== null) return newest;
  throw new ElenchusError(
    "RUN_NOT_FOUND",
    `There is no run of the configuration "${name}" in ${paths.results} to resume. Start one without --resume, or name one with --run-id.`,
  );
}

/** A start that was cut off before its CSV leaves a folder with a manifest, and no run. */
async function neverExisted(runId: string, resultPath: string): Promise<boolean> {
  if ((await runIds(resultPath)).includes(runId) || runId !== basename(runId)) return false;
  const { manifest } = runPaths(resultPath, runId);
  return (await stat(manifest).catch(() => null)) !== null;
}

/** A completed run goes on only where it did all its rounds and there are to be more: a target stays reached. */
function isComplete(checkpoint: Checkpoint | null, { trainer }: Config): boolean {
  if (checkpoint === null) return true;
  return checkpoint.clocks.completed === 1 || checkpoint.round >= trainer.rounds;
}
