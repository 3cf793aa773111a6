import { readFile } from "node:fs/promises";
import { type Clock, ElenchusError, type Logger, writeAtomic } from "../base/index.js";
import { type EvaluationOutcome, tableEntries } from "../evaluators/index.js";
import { parseRecords, RecordScanner, recordText } from "./csvRecords.js";
import { writeEvaluationFiles } from "./evaluationFiles.js";
import type { DeclaredMetrics } from "./flattenRow.js";
import { type GrownRow, grownRow } from "./grownRow.js";
import { type Manifest, readManifest, writeManifest } from "./manifest.js";
import type { RecordedRun } from "./recordedRuns.js";
import type { RunFiles } from "./runPaths.js";

/** What a run is grown with. */
export interface BackfillOptions {
  /** The tables that evaluate now, for the record. */
  readonly evaluation: unknown;
  readonly declared?: ((type: string) => DeclaredMetrics | undefined) | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** A row as it stands. */
export interface StandingRow {
  readonly round: number;
  /** By evaluator, where it has one. */
  readonly statuses: ReadonlyMap<string, string>;
}

/**
 * Puts what evaluators find afterwards into the rows of a run that has ended. The CSV is written anew through a
 * temporary file and a rename; every cell that is no evaluator's of now keeps its text to the byte.
 */
export class Backfill {
  readonly #paths: RunFiles;
  readonly #options: BackfillOptions;
  /** Its place among the manifest's back-fills, once it has an entry there. */
  #entry: number | undefined;
  readonly #warned = new Set<string>();

  /** @throws as `requireEnded` */
  constructor(run: RecordedRun, options: BackfillOptions) {
    requireEnded(run);
    this.#paths = run.paths;
    this.#options = options;
  }

  /** The rows, by round ascending. */
  async rows(): Promise<StandingRow[]> {
    const { columns, rows } = await this.#table();
    const manifest = await this.#manifest();
    const statuses = Object.entries(manifest.columns).flatMap(([column, { evaluator, metric }]) =>
      evaluator !== null && metric === "status" ? [{ evaluator, place: columns.indexOf(column) }] : [],
    );
    return rows.map((cells, index) => ({
      round: roundOf(cells, index, columns, manifest),
      statuses: new Map(
        statuses
          .map(({ evaluator, place }) => [evaluator, cells[place] ?? ""] as const)
          .filter(([, status]) => status !== ""),
      ),
    }));
  }

  /**
   * Writes what a round's evaluators found: their files, `run.json`, and last the CSV. What was measured before is
   * not given up for a failure: then the row keeps it.
   * @returns the outcomes that were written
   * @throws RESULT_INVALID, before anything is written, when a result cannot be JSON
   */
  async put(round: number, outcomes: readonly EvaluationOutcome[]): Promise<EvaluationOutcome[]> {
    const row = (await this.rows()).find((one) => one.round === round);
    const written = outcomes.filter((outcome) => outcome.result !== null || !measured(row, outcome.name));
    for (const { name, status } of outcomes.filter((outcome) => !written.includes(outcome))) {
      this.#options.logger.warn(
        `The evaluator "${name}" is ${status} in round ${round}; the row keeps what it measured before.`,
      );
    }
    if (row === undefined || written.length === 0) return [];
    const manifest = await this.#manifest();
    const { declared } = this.#options;
    const grown = grownRow(round, written, manifest.columns, { evaluators: this.#named(manifest), declared });
    this.#warn(grown);
    await writeEvaluationFiles(this.#paths, { round, items: {}, evaluations: written, clients: [] });
    await writeManifest(this.#paths.manifest, this.#noted(manifest, round, grown));
    await this.#writeCells(round, grown.cells);
    return written;
  }

  /** The evaluators whose number and order named the columns: the configured ones, else the first to come later. */
  #named({ config, backfills }: Manifest): string[] {
    const lists = [config, ...backfills, this.#options];
    const names = lists.map((one) => tableEntries(one).map(({ name }) => name));
    return names.find((list) => list.length > 0) ?? [];
  }

  #noted(manifest: Manifest, round: number, { columns }: GrownRow): Manifest {
    const backfills = [...manifest.backfills];
    this.#entry ??= backfills.length;
    const { evaluation, clock } = this.#options;
    const before = backfills[this.#entry];
    backfills[this.#entry] = {
      time: before?.time ?? new Date(clock.now()).toISOString(),
      rounds: [...(before?.rounds ?? []), round],
      evaluation,
    };
    return {
      ...manifest,
      backfills,
      columns: Object.fromEntries([...Object.entries(manifest.columns), ...columns]),
    };
  }

  async #writeCells(round: number, cells: ReadonlyMap<string, string>): Promise<void> {
    const { columns: before, rows } = await this.#table();
    const manifest = await this.#manifest();
    const columns = [...new Set([...before, ...cells.keys()])];
    const records = rows.map((row, index) => {
      if (roundOf(row, index, before, manifest) !== round) return columns.map((_, place) => row[place] ?? "");
      return columns.map((column, place) => cells.get(column) ?? row[place] ?? "");
    });
    await writeAtomic(this.#paths.csv, [columns, ...records].map(recordText).join(""));
  }

  async #table(): Promise<{ columns: string[]; rows: string[][] }> {
    const bytes = await readFile(this.#paths.csv);
    // What a killed run left of a row is none.
    const whole = bytes.subarray(0, new RecordScanner().ends(bytes).at(-1) ?? 0);
    const [columns = [], ...rows] = parseRecords(whole);
    return { columns, rows };
  }

  async #manifest(): Promise<Manifest> {
    return requireManifest(await readManifest(this.#paths.manifest), this.#paths);
  }

  #warn({ faults }: GrownRow): void {
    for (const fault of faults) {
      if (!this.#warned.has(fault)) this.#options.logger.warn(fault);
      this.#warned.add(fault);
    }
  }
}

/** Rows are counted where `results.types` has no column for the round. */
function roundOf(
  cells: readonly string[],
  index: number,
  columns: readonly string[],
  { first_round: first }: Manifest,
): number {
  return first === null ? Number(cells[columns.indexOf("round")] ?? index + 1) : first + index;
}

function measured(row: StandingRow | undefined, evaluator: string): boolean {
  const status = row?.statuses.get(evaluator);
  return status === "ok" || status === "partial";
}

function requireManifest(manifest: Manifest | null, { manifest: path }: RunFiles): Manifest {
  if (manifest !== null) return manifest;
  throw new ElenchusError(
    "RECORD_CORRUPT",
    `${path} is missing, so nobody knows which column is which evaluator's. Restore it.`,
    { details: { file: path } },
  );
}

/**
 * The manifest of a run that has ended: whoever runs one that has not writes to the same CSV.
 * @throws RUN_BUSY while the run goes on; RECORD_CORRUPT without `run.json`
 */
export function requireEnded({ runId, paths, manifest }: RecordedRun): Manifest {
  const present = requireManifest(manifest, paths);
  if (present.status !== "running") return present;
  throw new ElenchusError(
    "RUN_BUSY",
    `The run "${runId}" goes on, or was killed: its run.json says "running". Wait for its end, or end it in order with run --resume, and evaluate then.`,
    { details: { run_id: runId } },
  );
}
