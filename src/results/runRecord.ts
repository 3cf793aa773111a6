import { existsSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import {
  type Clock,
  ElenchusError,
  type Logger,
  messageOf,
  removeLeftovers,
  silentLogger,
  systemClock,
} from "../base/index.js";
import { cellText } from "./cells.js";
import { writeEvaluationFiles } from "./evaluationFiles.js";
import { type Cells, ExpandingCsv, hasHeader } from "./expandingCsv.js";
import { columnTypes, type FlatRow, flattenRow, mergedDescription, type RowLayout } from "./flattenRow.js";
import {
  type Manifest,
  newManifest,
  type ParentCheckpoint,
  type RunStatus,
  readManifest,
  writeManifest,
} from "./manifest.js";
import { readTable } from "./readTable.js";
import { type RoundRecord, roundRecord } from "./recordRow.js";
import { type RunPaths, runPaths } from "./runPaths.js";

/** What a record is made from. */
export interface RunRecordOptions {
  /** Folder of all runs: `results.result_path`, or `<base_path>/results`. */
  readonly resultPath: string;
  readonly runId: string;
  /** Name of the configuration, by which `--resume` finds the newest run. Default: the run id. */
  readonly name?: string;
  /** The resolved configuration, or any JSON value; written into `run.json` without `server.token`. */
  readonly config?: unknown;
  /** `results.types`: a comma string or a list. Default `round, accuracy, elapsed_time`. */
  readonly types?: string | readonly string[];
  /** Names of all evaluators in table order. With more than one, columns carry names. */
  readonly evaluators?: readonly string[];
  /** What evaluator types declare of their metrics, for `run.json`. */
  readonly declared?: RowLayout["declared"];
  /** The compute back end, when it is known already. */
  readonly backend?: string | null;
  /** The checkpoint of another run that this one begins from. */
  readonly parent?: ParentCheckpoint | null;
  readonly clock?: Clock;
  readonly logger?: Logger;
  /** Flush every row to the disk. Default true; false is for benchmarks. */
  readonly sync?: boolean;
}

/**
 * The record of a run: its CSV, its manifest, the files of its evaluations.
 *
 * Why a kill at any point loses at most the round in flight: the checkpoint of a round is written first and
 * carries the whole `RoundRecord`; `append` follows and writes evaluation files, manifest, clients' rows and,
 * last, the row. So either the CSV ends with the newest checkpoint's row, and then all that belongs to it is
 * there, or it lacks exactly that row, and `resume` appends it again from the checkpoint, replacing whatever
 * of it was written. A row torn by the kill is cut before.
 */
export class RunRecord {
  readonly runId: string;
  readonly paths: RunPaths;
  readonly #layout: RowLayout;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #sync: boolean;
  readonly #csv: ExpandingCsv;
  #clients: ExpandingCsv | null;
  #manifest: Manifest;
  #lastRound: number;
  readonly #warned = new Set<string>();

  private constructor(options: RunRecordOptions, parts: Parts) {
    this.runId = options.runId;
    this.paths = runPaths(options.resultPath, options.runId);
    this.#layout = layoutOf(options);
    this.#clock = options.clock ?? systemClock;
    this.#logger = options.logger ?? silentLogger;
    this.#sync = options.sync ?? true;
    this.#csv = parts.csv;
    this.#clients = parts.clients;
    this.#manifest = parts.manifest;
    this.#lastRound = parts.lastRound;
  }

  /**
   * Starts the record of a new run. Its CSV comes last: from its header on the run exists; files that an
   * earlier attempt left before that are replaced.
   * @throws RUN_EXISTS, USAGE for an impossible id, PATH_UNWRITABLE
   */
  static async create(options: RunRecordOptions): Promise<RunRecord> {
    const paths = runPaths(options.resultPath, options.runId);
    if (await hasHeader(paths.csv)) throw runExists(options.runId, paths.csv);
    return writing(options.resultPath, async () => {
      await mkdir(paths.folder, { recursive: true });
      await removeLeftovers(options.resultPath, `${options.runId}.csv`);
      await removeLeftovers(paths.folder);
      for (const left of [paths.clients, paths.manifest, paths.evaluations, paths.artifacts, paths.samples]) {
        await rm(left, { recursive: true, force: true });
      }
      const manifest = manifestOf(options);
      await writeManifest(paths.manifest, manifest);
      const csv = await ExpandingCsv.create(paths.csv, layoutOf(options).types, syncOf(options)).catch(
        (error) => {
          // Another process has started the same run at the same time, and was first.
          throw error.code === "EEXIST" ? runExists(options.runId, paths.csv) : error;
        },
      );
      return new RunRecord(options, { csv, clients: null, manifest, lastRound: -1 });
    });
  }

  /**
   * Goes on with the record of a run that was stopped or killed: cuts a torn last line and appends the row
   * of its newest checkpoint if the CSV lacks it. Nothing recorded is dropped or repeated.
   * @param row what the newest checkpoint carries as its row; null when there is no checkpoint
   * @throws RUN_NOT_FOUND; CHECKPOINT_INVALID when the row is none; RECORD_CORRUPT when CSV and checkpoint
   *   cannot belong together
   */
  static async resume(options: RunRecordOptions, row: unknown): Promise<RunRecord> {
    const last = row === null ? null : roundRecord(row);
    let missing = false;
    const record = await RunRecord.#reopen(options, async (csv, paths, firstRound) => {
      if (csv.rows > 0 && firstRound === null) throw rowsDiffer(paths.csv, csv.rows, last);
      const before = last === null ? 0 : last.round - (firstRound ?? last.round);
      const complete = last === null ? 0 : before + 1;
      missing = last !== null && csv.rows === before;
      if (!missing && csv.rows !== complete) throw rowsDiffer(paths.csv, csv.rows, last);
      if (last === null) return { lastRound: -1, clientRows: 0 };
      return {
        lastRound: missing ? last.round - 1 : last.round,
        clientRows: await rowsBefore(paths.clients, missing ? last.round : last.round + 1),
      };
    });
    if (missing && last !== null) await record.append(last);
    return record;
  }

  /**
   * Goes on behind the last row of a CSV, for a loop that keeps no checkpoints here.
   * @param lastRound the round of the last row
   */
  static async continue(options: RunRecordOptions, lastRound: number): Promise<RunRecord> {
    return RunRecord.#reopen(options, async (_, paths) => ({
      lastRound,
      clientRows: await rowsBefore(paths.clients, lastRound + 1),
    }));
  }

  /** Columns of the CSV as it stands. */
  get columns(): readonly string[] {
    return this.#csv.columns;
  }

  /** Rows of the CSV. */
  get rows(): number {
    return this.#csv.rows;
  }

  /** `run.json` as it stands. */
  get manifest(): Manifest {
    return this.#manifest;
  }

  /** Notes the compute back end in `run.json` once it is known. */
  async setBackend(backend: string): Promise<void> {
    await this.#updateManifest({ backend });
  }

  /**
   * Appends a round: the files of its evaluations, then its clients' rows, then its row.
   * @throws RECORD_CORRUPT when the round, or a later one, has a row already; RESULT_INVALID, before anything
   *   is written, when a result cannot be JSON
   */
  async append(record: RoundRecord): Promise<void> {
    this.#requireNew(record);
    const row = flattenRow(record, this.#layout);
    await writeEvaluationFiles(this.paths, record);
    await this.#noteColumns(record, row);
    if (record.clients.length > 0) await this.#appendClients(record);
    await this.#csv.append([row.cells]);
    this.#lastRound = record.round;
  }

  /** Closes the files and notes how the run ended. */
  async finish(status: Exclude<RunStatus, "running">, error?: ElenchusError | null): Promise<void> {
    await this.#csv.close();
    await this.#clients?.close();
    await this.#updateManifest({
      status,
      end: new Date(this.#clock.now()).toISOString(),
      error: error ? { code: error.code, message: error.message } : null,
    });
  }

  static async #reopen(
    options: RunRecordOptions,
    check: (csv: ExpandingCsv, paths: RunPaths, firstRound: number | null) => Promise<Continuation>,
  ): Promise<RunRecord> {
    const paths = runPaths(options.resultPath, options.runId);
    if (!(await hasHeader(paths.csv))) {
      throw new ElenchusError(
        "RUN_NOT_FOUND",
        `There is no run "${options.runId}" in ${options.resultPath} to continue. Start it without --resume.`,
        { details: { run_id: options.runId } },
      );
    }
    await mkdir(paths.folder, { recursive: true });
    for (const folder of [paths.folder, paths.evaluations, paths.artifacts]) {
      if (existsSync(folder)) await removeLeftovers(folder);
    }
    const csv = await ExpandingCsv.open(paths.csv, syncOf(options));
    try {
      const before = await readManifest(paths.manifest);
      const { lastRound, clientRows } = await check(
        csv,
        paths,
        before?.first_round ?? (await firstRoundIn(paths.csv)),
      );
      const clients = await reopenedClients(paths.clients, clientRows, syncOf(options));
      const manifest = continuedManifest(manifestOf(options), before);
      await writeManifest(paths.manifest, manifest);
      return new RunRecord(options, { csv, clients, manifest, lastRound });
    } catch (error) {
      await csv.close();
      throw error;
    }
  }

  #requireNew(record: RoundRecord): void {
    if (record.round > this.#lastRound) return;
    throw new ElenchusError(
      "RECORD_CORRUPT",
      `Round ${record.round} of the run "${this.runId}" cannot be recorded: round ${this.#lastRound} has its row already. Rounds must ascend.`,
    );
  }

  async #appendClients({ round, clients }: RoundRecord): Promise<void> {
    const rows = clients.map(
      ({ clientId, metric, value }): Cells =>
        new Map([
          ["round", String(round)],
          ["client_id", String(clientId)],
          [metric === "round" || metric === "client_id" ? `${metric}_metric` : metric, cellText(value)],
        ]),
    );
    this.#clients ??= await ExpandingCsv.create(
      this.paths.clients,
      [...new Set(rows.flatMap((row) => [...row.keys()]))],
      { sync: this.#sync },
    );
    await this.#clients.append(rows);
  }

  async #noteColumns({ round }: RoundRecord, row: FlatRow): Promise<void> {
    for (const fault of row.faults) {
      if (!this.#warned.has(fault)) this.#logger.warn(fault);
      this.#warned.add(fault);
    }
    const known = new Map(Object.entries(this.#manifest.columns));
    const columns = new Map(known);
    for (const [column, now] of row.columns) columns.set(column, mergedDescription(known.get(column), now));
    const firstRound = this.#manifest.first_round ?? round;
    const changed = JSON.stringify([...known]) !== JSON.stringify([...columns]);
    if (!changed && this.#manifest.first_round !== null) return;
    await this.#updateManifest({ columns: Object.fromEntries(columns), first_round: firstRound });
  }

  async #updateManifest(changes: Partial<Manifest>): Promise<void> {
    this.#manifest = { ...this.#manifest, ...changes };
    await writeManifest(this.paths.manifest, this.#manifest);
  }
}

interface Parts {
  readonly csv: ExpandingCsv;
  readonly clients: ExpandingCsv | null;
  readonly manifest: Manifest;
  /** The last round with a row; -1 before the first. */
  readonly lastRound: number;
}

function runExists(runId: string, csv: string): ElenchusError {
  return new ElenchusError(
    "RUN_EXISTS",
    `The run "${runId}" exists already: ${csv}. Continue it with --resume, or choose another --run-id.`,
    { details: { run_id: runId, csv } },
  );
}

/** Where a reopened record goes on. */
interface Continuation {
  readonly lastRound: number;
  /** Rows of the per-client CSV that stay. */
  readonly clientRows: number;
}

/** The round of a CSV's first row, where it has a row and a column that says so: for want of a manifest. */
async function firstRoundIn(path: string): Promise<number | null> {
  const first = (await readTable(path)).rows[0]?.get("round");
  return typeof first === "number" ? first : null;
}

/** Rows of the per-client CSV that belong to rounds before the given one; they come first. */
async function rowsBefore(path: string, round: number): Promise<number> {
  if (!(await hasHeader(path))) return 0;
  const { rows } = await readTable(path);
  const later = rows.findIndex((row) => Number(row.get("round")) >= round);
  return later === -1 ? rows.length : later;
}

/** The per-client CSV cut to the rows that stay; null where none does. */
async function reopenedClients(
  path: string,
  keep: number,
  options: { sync: boolean },
): Promise<ExpandingCsv | null> {
  if (keep > 0) return ExpandingCsv.open(path, { ...options, keep });
  await rm(path, { force: true });
  return null;
}

/** A run that goes on is the same run: what its manifest said of its beginning stays. */
function continuedManifest(now: Manifest, before: Manifest | null): Manifest {
  if (before === null) return now;
  const { start, columns, first_round } = before;
  const parent = now.parent ?? before.parent;
  return { ...now, start, columns, first_round, parent, backend: now.backend ?? before.backend };
}

function layoutOf({ types, evaluators = [], declared }: RunRecordOptions): RowLayout {
  return { types: columnTypes(types), evaluators, declared };
}

function syncOf({ sync = true }: RunRecordOptions): { sync: boolean } {
  return { sync };
}

function manifestOf({
  runId,
  name,
  config,
  parent,
  backend,
  clock = systemClock,
}: RunRecordOptions): Manifest {
  return newManifest({ runId, name: name ?? runId, start: clock.now(), config, parent, backend });
}

function rowsDiffer(path: string, rows: number, last: RoundRecord | null): ElenchusError {
  const found = last === null ? "there is no checkpoint" : `the newest checkpoint is of round ${last.round}`;
  return new ElenchusError(
    "RECORD_CORRUPT",
    `${path} has ${rows} rows, but ${found}. Restore the missing file, or start a new run.`,
    { details: { file: path } },
  );
}

async function writing<T>(folder: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error && "syscall" in error)) throw error;
    throw new ElenchusError(
      "PATH_UNWRITABLE",
      `The results folder ${folder} cannot be written: ${messageOf(error)}.`,
      {
        cause: error,
        details: { folder },
      },
    );
  }
}
