import { randomBytes } from "node:crypto";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type Clock, ElenchusError, type Logger } from "../base/index.js";
import { clientEntry } from "../client/index.js";
import type { Config } from "../config/index.js";
import { evaluationTables, registry } from "../evaluators/index.js";
import {
  mirrorsOf,
  type ParentCheckpoint,
  RunRecord,
  type RunRecordOptions,
  runPaths,
} from "../results/index.js";
import {
  type ClientProcesses,
  checkpointFolder,
  type RunningServer,
  type RunSummary,
  readServerTls,
  type ServerEvent,
  startClientProcesses,
  startServer,
} from "../server/index.js";
import { clearCheckpoints } from "../weights/index.js";
import { locatedByPath } from "./faults.js";
import { algorithmOf, type PreparedConfig, prepareConfig, startTestingHost } from "./preparedRun.js";
import { lastRowOf, type RunDocument } from "./runDocument.js";
import type { RunRequest } from "./runRequest.js";
import { type StartingPoint, startingPoint } from "./startingPoint.js";

/** What a run needs of its surroundings. */
export interface FederationOptions {
  readonly logger: Logger;
  readonly clock: Clock;
  /** Aborting it ends the run in an orderly way; the reason is a text. */
  readonly signal: AbortSignal;
  readonly onEvent: (event: ServerEvent) => void;
}

/** How a run ended, with what `run --json` prints of it. */
export interface FinishedRun {
  readonly document: RunDocument;
  readonly reason: string;
  readonly error: ElenchusError | null;
}

/**
 * Runs a federation from its configuration to its last row.
 * @throws everything that can be found before round 1; what happens later is in the answer
 */
export async function runFederation(request: RunRequest, options: FederationOptions): Promise<FinishedRun> {
  const { logger, clock } = options;
  const prepared = await prepareConfig(request, logger);
  const { config } = prepared;
  const launches = request.launchClients && !config.server.disable_clients;
  const token = tokenOf(config, launches);
  // Found before anything is started.
  await readServerTls(config.server, clock);
  const start = await startingPoint(request, prepared, options);
  if (start.finished) {
    logger.info(`the run ${start.runId} is finished; nothing is left to do`);
    return finishedAlready(start);
  }

  const { host, backend } = await startTestingHost(prepared, request.imports, logger, clock);
  logger.info(`run ${start.runId} on the ${backend} back end`);
  let server: RunningServer | undefined;
  let clients: ClientProcesses | undefined;
  try {
    const checkpoints = checkpointFolder(start.checkpoints, config.server.keep_checkpoints, logger);
    // The record is opened once the server has its port, but the server needs to know where rows will go.
    let opened: (record: RunRecord) => void = () => {};
    const opening = new Promise<RunRecord>((settle) => {
      opened = settle;
    });
    const files = runPaths(prepared.paths.results, start.runId);
    server = await startServer({
      config,
      runId: start.runId,
      spoolFolder: join(start.checkpoints, "spool"),
      samplesFolder: files.samples,
      answersFolder: files.answers,
      host,
      algorithm: await algorithmOf(config),
      record: { append: async (row) => (await opening).append(row) },
      lastRow: () => lastRowOf(start.csv),
      checkpoints: {
        save: async (checkpoint) => {
          await opening;
          await checkpoints.save(checkpoint);
        },
      },
      logger,
      clock,
      token,
      onEvent(event) {
        if (event.kind === "closing") void clients?.close({ told: event.connected });
        options.onEvent(event);
      },
      ...(launches && { launched: processCount(config) }),
      ...(start.checkpoint && { resume: start.checkpoint }),
    });
    const record = await openRecord(prepared, start, { backend, imports: request.imports }, options);
    opened(record);
    const { signal } = options;
    const stop = () => server?.stop(String(signal.reason));
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
    if (launches && !signal.aborted) clients = launch(server, request, prepared, token, options);
    const summary = await server.done;
    signal.removeEventListener("abort", stop);
    await record.finish(summary.status, summary.error);
    return { document: await documentOf(start, summary), reason: summary.reason, error: summary.error };
  } catch (error) {
    server?.stop("the run could not be started");
    await server?.done;
    // What only the model itself could tell: weights that a pattern does not fit.
    throw locatedByPath(error, prepared.written);
  } finally {
    await clients?.close();
    await host.close();
  }
}

/** Client processes on this machine: one per client of a round, fewer where `max_concurrency` says so. */
function processCount({ clients, trainer }: Config): number {
  return Math.min(clients.per_round, trainer.max_concurrency ?? clients.per_round);
}

function launch(
  server: RunningServer,
  request: RunRequest,
  { config, paths }: PreparedConfig,
  token: string,
  { logger, clock }: FederationOptions,
): ClientProcesses {
  const clients = startClientProcesses({
    entry: clientEntry,
    count: processCount(config),
    config,
    imports: request.imports,
    url: server.url,
    token,
    stateFolder: paths.checkpoints,
    logLevel: request.log,
    logger,
    clock,
  });
  void clients.exhausted.then((error) => server.fail(error));
  return clients;
}

/** A new run's record, or that of the run that goes on. The checkpoints of a run that never existed go first. */
async function openRecord(
  { config, name, paths }: PreparedConfig,
  start: StartingPoint,
  { backend, imports }: { backend: string; imports: readonly string[] },
  { clock, logger }: FederationOptions,
): Promise<RunRecord> {
  const recordOptions: RunRecordOptions = {
    resultPath: paths.results,
    runId: start.runId,
    name,
    config,
    types: config.results.types,
    evaluators: evaluationTables(config).map((table) => table.name),
    declared: (type) => (registry.has(type) ? registry.declarations(type).metrics : undefined),
    backend,
    imports: imports.map((file) => (file.startsWith("file:") ? fileURLToPath(file) : resolve(file))),
    parent: parentOf(start),
    mirrors: mirrorsOf(config.results, process.env, logger),
    project: config.general.project,
    group: config.general.group,
    clock,
    logger,
  };
  if (start.exists) return RunRecord.resume(recordOptions, start.checkpoint?.row ?? null);
  await clearCheckpoints(start.checkpoints);
  return RunRecord.create(recordOptions);
}

/** The checkpoint that a resumed run goes on from. */
function parentOf({ checkpoint }: StartingPoint): ParentCheckpoint | null {
  if (checkpoint === null) return null;
  return { run_id: checkpoint.runId, round: checkpoint.round, weights_sha256: checkpoint.weightsSha256 };
}

/** `run` makes a token of its own; whoever comes from elsewhere must know it beforehand. */
function tokenOf(config: Config, launchClients: boolean): string {
  if (config.server.token !== undefined) return config.server.token;
  if (launchClients) return randomBytes(24).toString("base64url");
  throw missingToken();
}

/** The error of `server` and `client` without a token. */
export function missingToken(): ElenchusError {
  return new ElenchusError(
    "TOKEN_MISSING",
    "server.token is missing: a server and clients that are started apart (`run` with server.disable_clients too) must share one. Set it in the configuration, or with --set server.token=SECRET, to the same text on every machine.",
  );
}

async function documentOf(start: StartingPoint, summary: RunSummary): Promise<RunDocument> {
  return {
    run_id: start.runId,
    status: summary.status,
    rounds: summary.rounds,
    csv: start.csv,
    last_row: await lastRowOf(start.csv),
  };
}

async function finishedAlready(start: StartingPoint): Promise<FinishedRun> {
  return {
    document: {
      run_id: start.runId,
      status: "completed",
      rounds: start.checkpoint?.round ?? 0,
      csv: start.csv,
      last_row: await lastRowOf(start.csv),
    },
    reason: "finished before",
    error: null,
  };
}
