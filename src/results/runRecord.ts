import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import {
  type Clock,
  ElenchusError,
  type Logger,
  makeFolder,
  messageOf,
  removeLeftovers,
  silentLogger,
  systemClock,
} from "../base/index.js";
import { cellValue } from "./cells.js";
import { ClientRows } from "./clientRows.js";
import { hasHeader } from "./csvFile.js";
import { writeEvaluationFiles } from "./evaluationFiles.js";
import { ExpandingCsv } from "./expandingCsv.js";
import { columnTypes, type FlatRow, flattenRow, mergedDescription, type RowLayout } from "./flattenRow.js";
import { type Manifest, newManifest, type RunStatus, readManifest, writeManifest } from "./manifest.js";
import { MirrorSet } from "./mirrors/index.js";
import { readTable } from "./readTable.js";
import { type RoundRecord, roundRecord } from "./recordRow.js";
import { resumePoint } from "./resumePoint.js";
import { type RunFiles, runPaths } from "./runPaths.js";
import type { RunRecordOptions } from "./runRecordOptions.js";
import { changedKeys } from "./sameRun.js";

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
  readonly paths: RunFiles;
  readonly #layout: RowLayout;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #csv: ExpandingCsv;
  readonly #clients: ClientRows;
  #manifest: Manifest;
  #lastRound: number;
  readonly #mirrors: MirrorSet;
  readonly #warned = new Set<string>();
  #last: Promise<void> = Promise.resolve();

  private constructor(options: RunRecordOptions, parts: Parts) {
    this.runId = options.runId;
    this.paths = runPaths(options.resultPath, options.runId);
    this.#layout = layoutOf(options);
    this.#clock = options.clock ?? systemClock;
    this.#logger = options.logger ?? silentLogger;
    this.#csv = parts.csv;
    this.#clients = parts.clients;
    this.#manifest = parts.manifest;
    this.#lastRound = parts.lastRound;
    const { mirrors = [], project = "general", group = "default" } = options;
    const { runId, paths } = this;
    const run = { runId, folder: paths.folder, project, group, time: this.#clock.now() };
    this.#mirrors = new MirrorSet(mirrors, run, this.#logger);
  }

  /**
   * Starts the record of a new run. Its CSV comes first, in one step that only one process can make: from its
   * header on the run exists and is this process's own. Files that an earlier attempt left are replaced.
   * @throws RUN_EXISTS, USAGE for an impossible id, PATH_UNWRITABLE
   */
  static async create(options: RunRecordOptions): Promise<RunRecord> {
    const paths = runPaths(options.resultPath, options.runId);
    if (await hasHeader(paths.csv)) throw runExists(options.runId, paths.csv);
    return writing(options.resultPath, async () => {
      await makeFolder(paths.folder);
      const csv = await claim(options, paths.csv);
      try {
        await removeLeftovers(options.resultPath, `${options.runId}.csv`);
        await removeLeftovers(paths.folder);
        for (const left of [
          paths.manifest,
          paths.evaluations,
          paths.artifacts,
          paths.samples,
          paths.answers,
        ]) {
          await rm(left, { recursive: true, force: true });
        }
        const clients = await ClientRows.start(paths.clients, syncOf(options));
        const manifest = manifestOf(options);
        await writeManifest(paths.manifest, manifest);
        return new RunRecord(options, { csv, clients, manifest, lastRound: -1 });
      } catch (error) {
        await csv.close();
        await rm(paths.csv, { force: true });
        throw error;
      }
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
    const record = await RunRecord.#reopen(options, ({ rows, path }, firstRound) => {
      const point = resumePoint(path, rows, firstRound, last);
      missing = point.missing;
      return { lastRound: point.lastRound, made: last?.round ?? point.lastRound };
    });
    if (missing && last !== null) await record.append(last);
    return record;
  }

  /**
   * Goes on behind the last row of a CSV, for a loop that keeps no checkpoints here.
   * @param lastRound the round of the last row
   */
  static async continue(options: RunRecordOptions, lastRound: number): Promise<RunRecord> {
    return RunRecord.#reopen(options, () => ({ lastRound, made: lastRound }));
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
  setBackend(backend: string): Promise<void> {
    return this.#inOrder(() => this.#updateManifest({ backend }));
  }

  /**
   * Appends a round: the files of its evaluations, then its clients' rows, then its row.
   * @throws RECORD_CORRUPT when the round, or a later one, has a row already; RESULT_INVALID, before anything
   *   is written, when a result cannot be JSON
   */
  append(record: RoundRecord): Promise<void> {
    return this.#inOrder(async () => {
      this.#requireNew(record);
      const row = flattenRow(record, this.#layout);
      await writeEvaluationFiles(this.paths, record);
      await this.#noteColumns(record, row);
      await this.#clients.append(record);
      await this.#csv.append([row.cells]);
      this.#lastRound = record.round;
      this.#mirrors.log({ round: record.round, scalars: scalarsOf(row.cells), time: this.#clock.now() });
    });
  }

  /** Closes the files and notes how the run ended. */
  finish(status: Exclude<RunStatus, "running">, error?: ElenchusError | null): Promise<void> {
    return this.#inOrder(async () => {
      await this.#csv.close();
      await this.#clients.close();
      await this.#updateManifest({
        status,
        end: new Date(this.#clock.now()).toISOString(),
        error: error ? { code: error.code, message: error.message } : null,
      });
      await this.#mirrors.end(status, this.#clock.now());
    });
  }

  static async #reopen(
    options: RunRecordOptions,
    stateOf: (csv: ExpandingCsv, firstRound: number | null) => { lastRound: number; made: number },
  ): Promise<RunRecord> {
    const paths = runPaths(options.resultPath, options.runId);
    if (!(await hasHeader(paths.csv))) {
      throw new ElenchusError(
        "RUN_NOT_FOUND",
        `There is no run "${options.runId}" in ${options.resultPath} to continue. Start it without --resume.`,
        { details: { run_id: options.runId } },
      );
    }
    await makeFolder(paths.folder);
    for (const folder of [paths.folder, paths.evaluations, paths.artifacts, paths.samples]) {
      if (existsSync(folder)) await removeLeftovers(folder);
    }
    const csv = await ExpandingCsv.open(paths.csv, syncOf(options));
    try {
      const before = await readManifest(paths.manifest);
      const firstRound = before?.first_round ?? (await firstRoundIn(paths.csv));
      const { lastRound, made } = stateOf(csv, firstRound);
      const clients = await ClientRows.reopen(paths.clients, lastRound, syncOf(options));
      const manifest = {
        ...continuedManifest(manifestOf(options), before, made + 1),
        first_round: firstRound,
      };
      await writeManifest(paths.manifest, manifest);
      return new RunRecord(options, { csv, clients, manifest, lastRound });
    } catch (error) {
      await csv.close();
      throw error;
    }
  }

  /** One piece of work after the other, also for a caller who does not wait. */
  #inOrder(work: () => Promise<void>): Promise<void> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => {});
    return done;
  }

  #requireNew(record: RoundRecord): void {
    if (record.round > this.#lastRound) return;
    throw new ElenchusError(
      "RECORD_CORRUPT",
      `Round ${record.round} of the run "${this.runId}" cannot be recorded: round ${this.#lastRound} has its row already. Rounds must ascend.`,
    );
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

/** The numbers of a row but for the round itself. */
function scalarsOf(cells: FlatRow["cells"]): Map<string, number> {
  const values = [...cells].map(([column, text]) => [column, cellValue(text)] as const);
  return new Map(
    values.filter(
      (one): one is readonly [string, number] => one[0] !== "round" && typeof one[1] === "number",
    ),
  );
}

interface Parts {
  readonly csv: ExpandingCsv;
  readonly clients: ClientRows;
  readonly manifest: Manifest;
  /** The last round with a row; -1 before the first. */
  readonly lastRound: number;
}

/** Of processes that start the same run at the same time, one gets its CSV. */
async function claim(options: RunRecordOptions, path: string): Promise<ExpandingCsv> {
  try {
    return await ExpandingCsv.create(path, layoutOf(options).types, syncOf(options));
  } catch (error) {
    throw (await hasHeader(path)) ? runExists(options.runId, path) : error;
  }
}

function runExists(runId: string, csv: string): ElenchusError {
  return new ElenchusError(
    "RUN_EXISTS",
    `The run "${runId}" exists already: ${csv}. Continue it with --resume, or choose another --run-id.`,
    { details: { run_id: runId, csv } },
  );
}

/** The round of a CSV's first row, where it has a row and a column that says so: for want of a manifest. */
async function firstRoundIn(path: string): Promise<number | null> {
  const first = (await readTable(path)).rows[0]?.get("round");
  return typeof first === "number" ? first : null;
}

/**
 * A run that goes on is the same run: what its manifest said of its beginning stays.
 * @param round the first round made with the configuration of now
 */
function continuedManifest(now: Manifest, before: Manifest | null, round: number): Manifest {
  if (before === null) return now;
  const { start, columns } = before;
  const changes = changedKeys(before.config, now.config).map((change) => ({ round, ...change }));
  const parent = now.parent ?? before.parent;
  return {
    ...now,
    start,
    columns,
    parent,
    changes: [...before.changes, ...changes],
    backfills: before.backfills,
    backend: now.backend ?? before.backend,
  };
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
  imports,
  clock = systemClock,
}: RunRecordOptions): Manifest {
  return newManifest({ runId, name: name ?? runId, start: clock.now(), config, parent, backend, imports });
}

async function writing<T>(folder: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error && "syscall" in error)) throw error;
    throw new ElenchusError(
      "PATH_UNWRITABLE",
      `The results folder ${folder} cannot be written: ${messageOf(error)}. Choose another with results.result_path or --base.`,
      {
        cause: error,
        details: { folder },
      },
    );
  }
}
