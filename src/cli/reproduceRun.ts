import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { becomeWorker, ElenchusError } from "../base/index.js";
import {
  differingCells,
  findRun,
  type RecordedRun,
  type Reproduction,
  readManifest,
  readTable,
  runPaths,
} from "../results/index.js";
import { attendRun } from "./attendedRun.js";
import type { CommonOptions } from "./commonOptions.js";
import type { Output } from "./output.js";
import { backfilledColumns, type RecordedConfig, recordedConfig, remarksOn } from "./recordedConfig.js";

/** What came of running a run again. */
export interface ReproducedRun extends Reproduction {
  readonly run: RecordedRun;
  /** Why numbers may differ: other versions, values that were changed on the way. */
  readonly remarks: readonly string[];
  /** The signal that ended the repetition, if one did. */
  readonly received: NodeJS.Signals | null;
  /** The CSV of the repetition where it was kept. */
  readonly csv: string | null;
}

/**
 * Runs a recorded run again as its manifest says: the resolved configuration, its seeds, its back end. Its data are
 * read where they lay. The repetition is a run of its own that leaves nothing, unless it is given a run id.
 * @throws REPRODUCTION_IMPOSSIBLE; what `run` throws; the error of a repetition that failed where the run did not
 */
export async function reproduceRun(
  name: string,
  options: CommonOptions,
  output: Output,
): Promise<ReproducedRun> {
  const run = await findRun(name, resolve(options.base ?? "./runtime", "results"));
  const config = recordedConfig(run);
  const recorded = await rowsOf(run);
  if (recorded.table.rows.length === 0) {
    throw new ElenchusError(
      "REPRODUCTION_IMPOSSIBLE",
      `The run "${run.runId}" has no rows yet, so that there is nothing to compare with.`,
    );
  }
  // A program among the modules may call run(): it is loaded for what it registers.
  becomeWorker();
  const folder = await mkdtemp(join(tmpdir(), "elenchus-reproduce-"));
  try {
    const kept = options.runId !== undefined;
    const results = kept ? dirname(run.paths.csv) : join(folder, "results");
    const runId = options.runId ?? run.runId;
    const { received } = await repeat({ run, config, results, folder, runId, recorded }, options, output);
    const { csv } = runPaths(results, runId);
    const reproduced = await rowsOf(await findRun(csv, results));
    const found = differingCells(recorded, reproduced, backfilledColumns(run.manifest!));
    return { ...found, run, remarks: remarksOn(run.manifest!), received, csv: kept ? csv : null };
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

interface Repetition {
  readonly run: RecordedRun;
  readonly config: RecordedConfig;
  readonly results: string;
  readonly folder: string;
  readonly runId: string;
  readonly recorded: Awaited<ReturnType<typeof rowsOf>>;
}

async function repeat(
  { run, config, results, folder, runId, recorded }: Repetition,
  options: CommonOptions,
  output: Output,
): Promise<{ received: NodeJS.Signals | null }> {
  const { manifest } = run;
  const { mirrors: _, ...kept } = config.results;
  const again = {
    ...config,
    general: { ...config.general, base_path: baseOf(run, config) },
    server: {
      ...config.server,
      // On this machine, beside whatever runs on it.
      address: "127.0.0.1",
      port: 0,
      disable_clients: false,
      checkpoint_path: join(folder, "checkpoints"),
    },
    trainer: { ...config.trainer, backend: manifest!.backend ?? config.trainer.backend },
    results: { ...kept, result_path: results },
  };
  // A run that was stopped ends where it was stopped: fewer rounds would be another configuration.
  const enough = new AbortController();
  const last = run.manifest!.status === "completed" ? Number.POSITIVE_INFINITY : lastRound(recorded);
  const { finished, received } = await attendRun(
    {
      ...options,
      config: again,
      resolved: true,
      resume: false,
      runId,
      imports: options.import,
      load: options.import,
      launchClients: true,
    },
    output,
    {
      signal: enough.signal,
      onEvent(event) {
        if (event.kind === "row_recorded" && event.record.round >= last) enough.abort("all rounds are there");
      },
    },
  ).catch((error: unknown) => {
    throw withModules(error, run);
  });
  const { error } = finished;
  if (error !== null && received === null && !enough.signal.aborted && error.code !== manifest!.error?.code)
    throw error;
  return { received };
}

/** Where the run's folders are now: it may be run again from another working folder, or have been moved. */
function baseOf({ paths }: RecordedRun, { general, results }: RecordedConfig): string {
  const folder = dirname(paths.csv);
  return results.result_path === undefined && basename(folder) === "results"
    ? dirname(folder)
    : general.base_path;
}

async function rowsOf({ paths }: RecordedRun) {
  const manifest = await readManifest(paths.manifest);
  return {
    table: await readTable(paths.csv),
    firstRound: manifest?.first_round ?? null,
    columns: manifest?.columns ?? {},
  };
}

function lastRound({ table, firstRound }: Awaited<ReturnType<typeof rowsOf>>): number {
  return Number(table.rows.at(-1)?.get("round") ?? (firstRound ?? 1) + table.rows.length - 1);
}

/** A name that nobody knows is likely one of the run's own modules. */
function withModules(error: unknown, { runId, manifest }: RecordedRun): unknown {
  if (!(error instanceof ElenchusError) || error.code !== "CONFIG_INVALID") return error;
  const faults = error.details.errors;
  const unknown = Array.isArray(faults) && faults.some(({ code }) => code === "NAME_UNKNOWN");
  if (!unknown) return error;
  const modules = manifest?.imports ?? [];
  const hint =
    modules.length === 0
      ? "Name the module that registers it with --import FILE."
      : `The run loaded ${modules.join(", ")}: name it with --import, should it still be what it was.`;
  return new ElenchusError(
    "CONFIG_INVALID",
    `The run "${runId}" used something that is not registered here. ${hint}\n${error.message}`,
    { cause: error, details: error.details },
  );
}
