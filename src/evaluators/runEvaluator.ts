import { type Clock, createRandom, ElenchusError, type Logger, type Pace } from "../base/index.js";
import type { TrainingContext } from "../context/index.js";
import type { ColumnClaims } from "./columns.js";
import type { EvaluatingTrainer, EvaluationInput } from "./evaluationInput.js";
import type { EvaluationOutcome } from "./evaluationOutcome.js";
import { EvaluationResult } from "./evaluationResult.js";
import type { EvaluationTable, TableEntry } from "./evaluationTable.js";
import type { EvaluatorDeclarations, EvaluatorLike } from "./evaluator.js";
import { declarationsOf, type EvaluatorRegistry } from "./evaluatorRegistry.js";
import { withIntervals } from "./intervals.js";
import { statusOfThrown } from "./notEvaluated.js";
import { failedOutcome, failureLine, outcomeOf } from "./outcomes.js";
import { progressOf } from "./progress.js";
import { SampleFiles } from "./samples/sampleFiles.js";
import type { SampleLog } from "./samples/sampleLog.js";
import { codeOf, describeThrown } from "./thrown.js";
import { interrupted, withinTimeLimit } from "./timeLimit.js";

/** Everything the evaluators of one round share. */
export interface EvaluationEnvironment {
  readonly model: unknown;
  readonly context: TrainingContext;
  readonly trainer: EvaluatingTrainer | undefined;
  readonly tokenizer: unknown;
  readonly config: unknown;
  readonly testset: unknown;
  readonly sampler: unknown;
  readonly localMetric: number | undefined;
  /** Read from the context before the first evaluator could change it. */
  readonly round: number;
  readonly clientId: number;
  readonly registry: EvaluatorRegistry;
  readonly claims: ColumnClaims;
  /** Where samples go of evaluators that are to log them; undefined: nowhere. */
  readonly samplesFolder: string | undefined;
  readonly answersFolder: string | undefined;
  readonly weightsDigest: (() => string) | undefined;
  /** Hears how far an evaluator is, several times a second. */
  readonly onProgress: ((name: string, pace: Pace) => void) | undefined;
  readonly logger: Logger;
  readonly clock: Clock;
  /** Stops the run; not a failure of the evaluator. */
  readonly signal: AbortSignal | undefined;
}

/** One evaluator after it ran, with what only this process can hold. */
export interface RanEvaluator {
  readonly entry: TableEntry;
  readonly outcome: EvaluationOutcome;
  /** Where there is one. */
  readonly result: EvaluationResult | undefined;
  /** What ended it, where it failed. */
  readonly thrown: unknown;
}

/**
 * Runs one evaluator to its outcome: resolving, factory, evaluating and checking the result, all within the
 * table's timeout. Whatever goes wrong there is the outcome's error and logged once; nothing of it is thrown.
 * @param override an evaluator to use instead of the registry's
 * @throws INTERRUPTED, or the signal's own error, when `environment.signal` aborts
 */
export async function runEvaluator(
  entry: TableEntry,
  environment: EvaluationEnvironment,
  override?: EvaluatorLike,
): Promise<RanEvaluator> {
  const { clock, logger, signal: outer } = environment;
  const started = clock.monotonic();
  const durationSeconds = () => (clock.monotonic() - started) / 1000;
  const samples = samplesOf(entry, environment);
  const fail = async (status: "failed" | "timeout", code: string, message: string, thrown: unknown) => {
    logger.error(failureLine(entry, message));
    await samples?.discard();
    const outcome = failedOutcome(entry, { status, code, message, durationSeconds: durationSeconds() });
    return { entry, outcome, result: undefined, thrown };
  };

  try {
    const { table } = entry;
    if (table === undefined) throw entry.fault;
    const ended = await withinTimeLimit(
      (signal) => evaluate(table, { ...environment, samples }, override, signal),
      {
        milliseconds: table.timeout * 1000,
        outer,
        clock,
      },
    );
    if (ended.ended === "timeout") {
      const message = `It did not finish within its timeout of ${table.timeout} s. Raise timeout in its table, or let it measure less.`;
      const thrown = new ElenchusError("EVALUATION_TIMEOUT", message);
      return await fail("timeout", "EVALUATION_TIMEOUT", message, thrown);
    }
    const { returned, declared } = ended.value;
    const found = withPrimary(EvaluationResult.from(returned), table.primary_metric);
    const result = table.confidence === undefined ? found : withIntervals(found, table.confidence);
    const outcome = outcomeOf(entry, table, result, declared, durationSeconds());
    environment.claims.claim(entry, result);
    await samples?.keep();
    return { entry, outcome, result, thrown: undefined };
  } catch (thrown) {
    if (outer?.aborted) {
      await samples?.discard();
      throw interrupted(outer.reason);
    }
    const message = describeThrown(thrown);
    const status = statusOfThrown(thrown);
    if (status === undefined)
      return await fail("failed", codeOf(thrown, "EVALUATION_FAILED"), message, thrown);
    logger.info(`The evaluator "${entry.name}" is ${status}: ${message}`);
    await samples?.discard();
    const outcome = failedOutcome(entry, { status, message, durationSeconds: durationSeconds() });
    return { entry, outcome, result: undefined, thrown: undefined };
  }
}

/** Where an evaluator's samples go, if it is to log them and there is a place for them. */
function samplesOf(
  { name, table }: TableEntry,
  { samplesFolder, round, logger }: EvaluationEnvironment,
): SampleFiles | undefined {
  if (table?.log_samples !== true || samplesFolder === undefined) return undefined;
  return new SampleFiles({ folder: samplesFolder, round, evaluator: name, logger });
}

/** Resolves and calls the evaluator. Async, so that what it throws at once is a rejection too. */
async function evaluate(
  table: EvaluationTable,
  environment: EvaluationEnvironment & { readonly samples: SampleLog | undefined },
  override: EvaluatorLike | undefined,
  signal: AbortSignal,
): Promise<{ returned: unknown; declared: EvaluatorDeclarations }> {
  const evaluator = override ?? (await environment.registry.get(table));
  const declared = override ? classOf(override) : environment.registry.declarations(table.type);
  const { model, trainer, tokenizer, context, config, testset, sampler } = environment;
  const { localMetric, round, clientId, samples } = environment;
  const request: EvaluationInput = {
    model,
    trainer,
    tokenizer,
    context,
    config,
    testset,
    sampler,
    localMetric,
    signal,
    round,
    clientId,
    seed: seedOf(config, table.name),
    logger: environment.logger,
    progress: progressOf(table.name, environment),
    samples,
    answersFolder: environment.answersFolder,
    weightsDigest: environment.weightsDigest,
  };
  return { returned: await evaluator!.evaluate(request), declared };
}

/** An override's declarations stand on its class, as a registered one's do. */
function classOf(evaluator: EvaluatorLike): EvaluatorDeclarations {
  return typeof evaluator.constructor === "function"
    ? declarationsOf(evaluator.constructor as EvaluatorDeclarations)
    : {};
}

/** The same in every round; apart for evaluators that differ in name. */
export function seedOf(config: unknown, name: string): number {
  const seed: unknown = (config as { trainer?: { random_seed?: unknown } } | null)?.trainer?.random_seed;
  return createRandom(typeof seed === "number" ? seed : 1, "evaluation", name).uint32();
}

function withPrimary(result: EvaluationResult, primaryMetric: string | undefined): EvaluationResult {
  if (primaryMetric === undefined || primaryMetric === result.primaryMetric) return result;
  if (!Object.hasOwn(result.metrics, primaryMetric)) {
    throw new ElenchusError(
      "EVALUATION_CONFIG",
      `primary_metric is "${primaryMetric}", which the result does not have. Its metrics: ${Object.keys(result.metrics).slice(0, 20).join(", ")}.`,
    );
  }
  return new EvaluationResult({ ...result, primaryMetric });
}
