import { readdir, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { ElenchusError, nearest } from "../base/index.js";
import { hasHeader } from "./csvFile.js";
import { type Manifest, readManifest } from "./manifest.js";
import { type CellValue, readTable, rowObject } from "./readTable.js";
import { type RunFiles, requireRunId, runIdStem, runPaths } from "./runPaths.js";

/** A run found on the disk. */
export interface RecordedRun {
  readonly runId: string;
  readonly paths: RunFiles;
  /** `run.json`; null where it is missing. */
  readonly manifest: Manifest | null;
}

/**
 * Finds a run by its id, its folder or its CSV.
 * @param resultPath where ids are looked up
 * @throws RUN_NOT_FOUND; RECORD_CORRUPT when its `run.json` is damaged
 */
export async function findRun(run: string, resultPath: string): Promise<RecordedRun> {
  const file = resolve(run);
  const places = [
    { folder: resultPath, runId: run },
    { folder: dirname(file), runId: basename(file).replace(/(_accuracy)?\.csv$/, "") },
  ];
  for (const { folder, runId } of places) {
    if (!isRunId(runId)) continue;
    const paths = runPaths(folder, runId);
    if (await hasHeader(paths.csv)) return { runId, paths, manifest: await readManifest(paths.manifest) };
  }
  const known = await runIds(resultPath);
  const suggestion = nearest(run, known);
  const hint = suggestion === undefined ? "" : ` Did you mean "${suggestion}"?`;
  throw new ElenchusError(
    "RUN_NOT_FOUND",
    `There is no run "${run}": no such id in ${resultPath}, and no such folder or CSV.${hint}`,
    { details: { run, known } },
  );
}

/**
 * The newest run of a configuration's name, or null. Damaged manifests count as missing: then the id decides.
 */
export async function newestRun(configName: string, resultPath: string): Promise<RecordedRun | null> {
  let newest: { run: RecordedRun; start: string } | null = null;
  for (const runId of await runIds(resultPath)) {
    const paths = runPaths(resultPath, runId);
    const manifest = await readManifest(paths.manifest).catch(() => null);
    const start = manifest?.name === configName ? manifest.start : startInId(runId, configName, manifest);
    if (start === null || (newest !== null && start < newest.start)) continue;
    newest = { run: { runId, paths, manifest }, start };
  }
  return newest?.run ?? null;
}

/** The ids of all runs in a results folder, sorted. */
export async function runIds(resultPath: string): Promise<string[]> {
  const folder = await stat(resultPath).catch(() => null);
  if (!folder?.isDirectory()) return [];
  const ids: string[] = [];
  for (const name of (await readdir(resultPath)).sort()) {
    const runId = name.replace(/\.csv$/, "");
    if (runId !== name && isRunId(runId) && (await hasHeader(join(resultPath, name)))) ids.push(runId);
  }
  return ids;
}

/** A run as `results --json` prints it: rows by column, numbers as numbers, empty cells null. */
export async function runDocument({
  runId,
  paths,
}: RecordedRun): Promise<{ run_id: string; rows: Record<string, CellValue>[] }> {
  const { rows } = await readTable(paths.csv);
  return { run_id: runId, rows: rows.map(rowObject) };
}

function isRunId(text: string): boolean {
  try {
    requireRunId(text);
    return true;
  } catch {
    return false;
  }
}

/** The start that a default run id of that configuration tells, as ISO 8601; null for any other id. */
function startInId(runId: string, configName: string, manifest: Manifest | null): string | null {
  if (manifest !== null) return null;
  const stem = `${runIdStem(configName)}-`;
  const time = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(runId.slice(stem.length));
  if (!runId.startsWith(stem) || time === null) return null;
  const [, year, month, day, hour, minute, second] = time;
  return `${year}-${month}-${day}T${hour}:${minute}:${second}.000Z`;
}
