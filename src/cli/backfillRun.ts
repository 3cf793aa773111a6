import { basename, dirname, join, resolve } from "node:path";
import { ElenchusError, type Logger } from "../base/index.js";
import type { Config } from "../config/index.js";
import { type EvaluationOutcome, evaluationTables, registry, strictFailure } from "../evaluators/index.js";
import {
  Backfill,
  findRun,
  type RecordedRun,
  requireEnded,
  requireSameRun,
  runDocument,
} from "../results/index.js";
import type { TrainerHost } from "../trainers/index.js";
import { type CheckpointFile, listCheckpoints, readCheckpoint } from "../weights/index.js";
import type { CommonOptions } from "./commonOptions.js";
import type { EvaluationSurroundings } from "./evaluateCheckpoint.js";
import { type PreparedConfig, prepareConfig, startTestingHost } from "./preparedRun.js";
import { parseRounds, type RoundToEvaluate, roundsToEvaluate } from "./rounds.js";
import { otherModel, requireModel } from "./savedWeights.js";

/** Which rounds of which run, and by which configuration. */
export interface BackfillRequest {
  /** Run id, folder or CSV. */
  readonly run: string;
  readonly rounds: string;
  /** A configuration whose evaluators are used in place of the run's own. */
  readonly config?: string | undefined;
  readonly options: CommonOptions;
}

/** What came of it. */
export interface BackfillOutcome {
  readonly document: Awaited<ReturnType<typeof runDocument>>;
  readonly csv: string;
  /** In order of rounds, those that the record took. */
  readonly evaluated: readonly { readonly round: number; readonly outcomes: readonly EvaluationOutcome[] }[];
  /** Of evaluators with `fail_on_error = true`. */
  readonly failure: ElenchusError | undefined;
}

/**
 * Runs evaluators on the kept checkpoints of a run that has ended, round by round, and grows its CSV. Each round is
 * written as soon as it is done.
 * @throws everything that can be found before the first evaluator; what the host rejects with
 */
export async function backfillRun(
  { run: name, rounds, config: file, options }: BackfillRequest,
  { logger, clock, signal, onProgress }: EvaluationSurroundings,
): Promise<BackfillOutcome> {
  const wanted = parseRounds(rounds);
  const run = await findRun(name, resolve(options.base ?? "./runtime", "results"));
  const recorded = requireEnded(run).config;
  const from =
    file === undefined ? { config: withoutDefaultNames(recorded), resolved: true } : { config: file };
  const prepared = await prepareConfig({ ...options, ...from, load: options.import }, logger);
  const { config } = prepared;
  const backfill = new Backfill(run, {
    evaluation: config.evaluation,
    declared: (type) => (registry.has(type) ? registry.declarations(type).metrics : undefined),
    clock,
    logger,
  });
  requireSameRun(recorded, config);
  if (evaluationTables(config).length === 0) throw nothingToEvaluate(run);

  const todo = roundsToEvaluate(wanted, await backfill.rows(), config);
  const kept = await keptRounds(todo, run, prepared, logger);
  const evaluated: { round: number; outcomes: readonly EvaluationOutcome[] }[] = [];
  if (kept.length > 0) {
    const { host } = await startTestingHost(prepared, options.import, logger, clock);
    try {
      for (const one of kept) {
        const outcomes = await evaluateRoundOf(one, { run, config, host, signal, onProgress });
        evaluated.push({ round: one.round, outcomes });
        await backfill.put(one.round, outcomes);
        for (const { name, status } of outcomes) logger.info(`round ${one.round}: ${name} ${status}`);
      }
    } finally {
      await host.close();
    }
  }
  return {
    document: await runDocument(run),
    csv: run.paths.csv,
    evaluated,
    failure: strictFailure(evaluated.flatMap(({ outcomes }) => outcomes)),
  };
}

interface KeptRound extends RoundToEvaluate {
  readonly path: string;
}

/**
 * The rounds whose checkpoint is there; of the others it is said.
 * @throws CHECKPOINT_INVALID where that is none at all
 */
async function keptRounds(
  todo: readonly RoundToEvaluate[],
  run: RecordedRun,
  prepared: PreparedConfig,
  logger: Logger,
): Promise<KeptRound[]> {
  if (todo.length === 0) logger.info(`the run ${run.runId} has nothing of the kind to evaluate`);
  const { folder, files } = await checkpointsOf(run, prepared);
  const kept: KeptRound[] = [];
  const gone: number[] = [];
  for (const one of todo) {
    const found = files.find(({ round }) => round === one.round);
    if (found === undefined) gone.push(one.round);
    else kept.push({ ...one, path: found.path });
  }
  if (gone.length === 0) return kept;
  const them = gone.length === 1 ? `Round ${gone[0]} has` : `Rounds ${gone.join(", ")} have`;
  const message = `${them} no checkpoint in ${folder} and cannot be evaluated any more; server.keep_checkpoints says how many are kept.`;
  if (kept.length === 0)
    throw new ElenchusError("CHECKPOINT_INVALID", message, { details: { rounds: gone } });
  logger.warn(message);
  return kept;
}

/** Where the configuration says, or beside the run's results, should it have been moved. */
async function checkpointsOf(
  { runId, paths }: RecordedRun,
  prepared: PreparedConfig,
): Promise<{ folder: string; files: CheckpointFile[] }> {
  const folder = join(prepared.paths.checkpoints, runId);
  const beside = join(dirname(dirname(paths.csv)), basename(prepared.paths.checkpoints), runId);
  const files = await listCheckpoints(folder);
  if (files.length > 0) return { folder, files };
  return { folder, files: await listCheckpoints(beside) };
}

async function evaluateRoundOf(
  { round, names, path }: KeptRound,
  {
    run,
    config,
    host,
    signal,
    onProgress,
  }: Pick<EvaluationSurroundings, "signal" | "onProgress"> & {
    run: RecordedRun;
    config: Config;
    host: TrainerHost;
  },
): Promise<EvaluationOutcome[]> {
  const checkpoint = await readCheckpoint(path);
  requireModel(checkpoint, config);
  const { weights, state, scalar } = checkpoint;
  const task = {
    round,
    weights,
    state,
    lastRound: round === config.trainer.rounds,
    names,
    scalar:
      scalar === null
        ? null
        : { name: scalar.metric, value: scalar.value, higherIsBetter: scalar.higherIsBetter ?? true },
    samplesFolder: run.paths.samples,
    answersFolder: run.paths.answers,
  };
  try {
    return (await host.evaluate(task, signal, (progress) => onProgress?.(round, progress))).evaluations;
  } catch (error) {
    throw otherModel(error, path);
  }
}

/**
 * The recorded configuration, where a table's name is only written out because there was none: another type set for
 * it is then another evaluator, and does not pass for the old one.
 */
function withoutDefaultNames(recorded: unknown): object {
  const config = (recorded ?? {}) as { evaluation?: unknown };
  const { evaluation } = config;
  if (evaluation === undefined) return config;
  return { ...config, evaluation: Array.isArray(evaluation) ? evaluation.map(unnamed) : unnamed(evaluation) };
}

function unnamed(table: unknown): unknown {
  if (typeof table !== "object" || table === null) return table;
  const { name, ...rest } = table as { name?: unknown; type?: unknown };
  return name === rest.type ? rest : table;
}

function nothingToEvaluate({ runId }: RecordedRun): ElenchusError {
  return new ElenchusError(
    "CONFIG_INVALID",
    `The run "${runId}" has no [evaluation] section, so there is nothing to evaluate. Name an evaluator with --set evaluation.type=NAME, or a configuration that has one with --config; \`elenchus list evaluators\` shows what there is.`,
  );
}
