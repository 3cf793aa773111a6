import { rm, rmdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { namesIn, removeLeftovers } from "../base/index.js";
import { checkpointPath, readCheckpointHeader } from "./checkpoint.js";
import type { CheckpointHeader, Score } from "./checkpointHeader.js";

/** A checkpoint file of a run. */
export interface CheckpointFile {
  readonly round: number;
  readonly path: string;
}

/** The checkpoints in a folder by round, ascending. A folder that does not exist has none. */
export async function listCheckpoints(folder: string): Promise<CheckpointFile[]> {
  return (await namesIn(folder))
    .map((name) => /^checkpoint_(\d{1,15})\.safetensors$/.exec(name)?.[1])
    .filter((digits) => digits !== undefined)
    .map((digits) => ({ round: Number(digits), path: checkpointPath(folder, Number(digits)) }))
    .sort((a, b) => a.round - b.round);
}

/** The checkpoint of the highest round, or null. */
export async function newestCheckpoint(folder: string): Promise<CheckpointFile | null> {
  return (await listCheckpoints(folder)).at(-1) ?? null;
}

/** Which checkpoints stay. */
export interface PruneOptions {
  /** How many of the newest, at least 1. */
  readonly keep: number;
  /** Rounds that stay as well. */
  readonly protect?: readonly number[];
}

/**
 * Removes old checkpoints of a run that this process writes, and what a killed writer left. The newest `keep`
 * stay, the protected ones, the best by the test scalar and the best by the primary metric.
 * @returns the rounds removed, ascending
 */
export async function pruneCheckpoints(
  folder: string,
  { keep, protect = [] }: PruneOptions,
): Promise<number[]> {
  const files = await listCheckpoints(folder);
  if (files.length === 0) return [];
  await removeLeftovers(folder);
  if (files.length <= keep) return [];

  const headers = await Promise.all(files.map(({ path }) => readCheckpointHeader(path).catch(() => null)));
  const staying = new Set<number | null>([
    ...files.slice(-Math.max(1, keep)).map(({ round }) => round),
    ...protect,
    bestRound(headers, (header) => header.scalar),
    bestRound(headers, (header) => header.primary),
  ]);
  const leaving = files.filter(({ round }) => !staying.has(round));
  for (const { path } of leaving) await rm(path, { force: true });
  return leaving.map(({ round }) => round);
}

/**
 * Removes what an earlier run of the same id left in its folder: checkpoints, and the states that its clients keep
 * there as `<client>/<round>.state`, which a new run would take for its own. Nothing else is touched.
 */
export async function clearCheckpoints(folder: string): Promise<void> {
  const names = await namesIn(folder);
  if (names.length === 0) return;
  for (const { path } of await listCheckpoints(folder)) await rm(path, { force: true });
  await removeLeftovers(folder);
  for (const client of names.filter((name) => /^\d+$/.test(name))) await clearStates(join(folder, client));
}

async function clearStates(folder: string): Promise<void> {
  if (!(await stat(folder)).isDirectory()) return;
  await removeLeftovers(folder);
  for (const name of await namesIn(folder)) {
    if (/^\d+\.state$/.test(name)) await rm(join(folder, name), { force: true });
  }
  // Unless something of the user's lies there.
  if ((await namesIn(folder)).length === 0) await rmdir(folder);
}

/** The first round that reached the best value of a score; null when none has a value and a direction. */
function bestRound(
  headers: readonly (CheckpointHeader | null)[],
  scoreOf: (header: CheckpointHeader) => Score | null,
): number | null {
  let best: { round: number; value: number } | null = null;
  for (const header of headers) {
    const score = header === null ? null : scoreOf(header);
    if (header === null || score === null || score.higherIsBetter === null || Number.isNaN(score.value))
      continue;
    const value = score.higherIsBetter ? score.value : -score.value;
    if (best === null || value > best.value) best = { round: header.round, value };
  }
  return best?.round ?? null;
}
