import { stat } from "node:fs/promises";
import { sep } from "node:path";
import { ElenchusError } from "../../base/index.js";
import {
  findRun,
  type Manifest,
  type RecordedRun,
  readTable,
  requireRunId,
  runIds,
  type Table,
} from "../../results/index.js";

/** A run with its rows. */
export interface ReadRun {
  readonly run: RecordedRun;
  readonly table: Table;
  /** Changes whenever rows or manifest do. */
  readonly version: string;
}

/** Records kept in memory, those used last. */
const KEPT = 32;

/** Reads the records of runs in one folder; a file that has not changed is not read again. */
export class RecordReader {
  readonly #kept = new Map<string, ReadRun>();

  constructor(readonly resultPath: string) {}

  async ids(): Promise<string[]> {
    return await runIds(this.resultPath);
  }

  /** @throws RUN_NOT_FOUND for what is no run of this folder, whatever the name says */
  async read(runId: string): Promise<ReadRun> {
    requireName(runId);
    const run = await findRun(runId, this.resultPath).catch((error: unknown) => {
      // Where runs lie is nobody's business who asks over the network.
      throw error instanceof ElenchusError && error.code === "RUN_NOT_FOUND" ? notFound(runId) : error;
    });
    // A name is looked up here and nowhere else.
    if (!run.paths.csv.startsWith(`${this.resultPath}${sep}`)) throw notFound(runId);
    const version = `${await stamp(run.paths.csv)}-${await stamp(run.paths.manifest)}`;
    const kept = this.#kept.get(runId);
    this.#kept.delete(runId);
    const found = kept?.version === version ? kept : { run, table: await readTable(run.paths.csv), version };
    this.#kept.set(runId, found);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= KEPT) break;
      this.#kept.delete(oldest);
    }
    return found;
  }
}

/** Whether a run has ended; one without a manifest has nobody who would go on. */
export function hasEnded(manifest: Manifest | null): boolean {
  return manifest?.status !== "running";
}

/** The rounds of the rows, in their order. */
export function roundsOf({ run, table }: ReadRun): number[] {
  const first = run.manifest?.first_round ?? 1;
  return table.rows.map((row, index) => Number(row.get("round") ?? first + index));
}

function requireName(runId: string): void {
  try {
    requireRunId(runId);
  } catch {
    throw notFound(runId);
  }
}

function notFound(runId: string): ElenchusError {
  return new ElenchusError("RUN_NOT_FOUND", `There is no run ${JSON.stringify(runId)} here.`);
}

async function stamp(path: string): Promise<string> {
  try {
    const { size, mtimeMs, ino } = await stat(path);
    return `${ino.toString(36)}.${size.toString(36)}.${Math.round(mtimeMs * 1000).toString(36)}`;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "0";
    throw error;
  }
}
