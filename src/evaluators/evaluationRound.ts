import { type Clock, type Logger, type Pace, stderrLogger, systemClock } from "../base/index.js";
import { ColumnClaims } from "./columns.js";
import { type EvaluationContext, type GivenContext, givenContext, wholeNumber } from "./evaluationContext.js";
import type { EvaluatingTrainer } from "./evaluationInput.js";
import type { EvaluationOutcome } from "./evaluationOutcome.js";
import { clearEvaluationState, recordOutcome, type StateMap } from "./evaluationState.js";
import { withDeclaredEvaluations } from "./evaluations/index.js";
import { type TableEntry, tableEntries } from "./evaluationTable.js";
import type { EvaluatorLike } from "./evaluator.js";
import type { EvaluatorRegistry } from "./evaluatorRegistry.js";
import { registry as theRegistry } from "./registry.js";
import { type EvaluationEnvironment, type RanEvaluator, runEvaluator } from "./runEvaluator.js";

/** What the evaluators of one round are run with. Everything but `config` may be left out. */
export interface EvaluationRound {
  /** The live (aggregated) model. */
  readonly model?: unknown;
  /**
   * Asked before each evaluator for what it is given, in place of `model`, `testset` and `sampler`: the one before
   * may have changed or freed them, and the next is to find them as they were. What it throws ends the round.
   */
  readonly anew?: (() => Handed | Promise<Handed>) | undefined;
  /** Says which round and client this is; its `state`, made where there is none, receives the results. */
  readonly context?: EvaluationContext | undefined;
  readonly trainer?: EvaluatingTrainer | undefined;
  readonly tokenizer?: unknown;
  /** The resolved configuration, or any object whose `evaluation` is the table or list of tables. */
  readonly config: unknown;
  readonly testset?: unknown;
  readonly sampler?: unknown;
  /** The scalar that the testing strategy has just computed. */
  readonly localMetric?: number | undefined;
  /** Used instead of the registry for tables whose `type` its own `config.type` equals. */
  readonly evaluatorOverride?: EvaluatorLike | undefined;
  /** True when every evaluator is due. By default: when the context's round is `config.trainer.rounds`. */
  readonly lastRound?: boolean | undefined;
  /** Only the evaluators of these names, due or not; what the state says of others stays. */
  readonly names?: readonly string[] | undefined;
  /** Keep one for a whole run, and a column once taken by one evaluator stays its own. */
  readonly claims?: ColumnClaims | undefined;
  /** Where evaluators with `log_samples = true` log them, a run's `samples`. Absent: nowhere. */
  readonly samplesFolder?: string | undefined;
  /** Where answers of language models are kept, so that the same weights are not asked twice. Absent: nowhere. */
  readonly answersFolder?: string | undefined;
  /** Digest of the weights that every evaluator finds; asked where answers are kept. */
  readonly weightsDigest?: (() => string) | undefined;
  /** Hears how far an evaluator is, several times a second. */
  readonly onProgress?: ((name: string, pace: Pace) => void) | undefined;
  readonly registry?: EvaluatorRegistry | undefined;
  /** Stops the run. */
  readonly signal?: AbortSignal | undefined;
  readonly logger?: Logger | undefined;
  readonly clock?: Clock | undefined;
}

/** What an evaluator is given and could harm. */
export type Handed = Partial<Pick<EvaluationEnvironment, "model" | "testset" | "sampler">>;

/** Which evaluators are asked for. */
export interface DueRequest {
  /** From 1; 0 is the untrained model. */
  readonly round: number;
  readonly lastRound: boolean;
  /** Only these, due or not. */
  readonly names?: readonly string[] | undefined;
}

/**
 * The tables due in a round, in their order. A table with a fault is due in every round: it fails in each. A
 * round that is no whole number counts as 0, in which all are due.
 */
export function dueEvaluations(config: unknown, request: DueRequest): TableEntry[] {
  const { lastRound, names } = request;
  const round = wholeNumber(request.round);
  return tableEntries(config).filter(({ name, table }) => {
    if (names !== undefined) return names.includes(name);
    return lastRound || table === undefined || round % table.every === 0;
  });
}

/**
 * Names of the tables with `on_clients = true` that are due on clients which test in a round: where it is divisible by
 * their `every`, and in round `trainer.rounds`. Nobody knows there that a target will end the run. A table with a
 * fault fails on the server.
 */
export function dueOnClient(config: unknown, round: number): string[] {
  const lastRound = isLastRound(config, round);
  return dueEvaluations(config, { round, lastRound }).flatMap(({ name, table }) =>
    table?.on_clients === true ? [name] : [],
  );
}

/**
 * Runs the evaluators that are due, one after the other, and gives each as soon as it has ended; the state is
 * up to date by then. Failures are outcomes, `fail_on_error` or not: what follows from them is the caller's.
 * @throws INTERRUPTED, or the signal's own error, when `signal` aborts; USAGE for a context whose state is no Map
 */
export async function* evaluateRound(round: EvaluationRound): AsyncGenerator<RanEvaluator, void, void> {
  const { config, names } = round;
  const given = givenContext(round.context);
  const { state, currentRound } = given;
  const tables = withDeclaredEvaluations(config, round.trainer);
  const entries = tableEntries(tables);
  if (names === undefined) clearEvaluationState(state);
  if (entries.length === 0) return;

  const due = dueEvaluations(tables, {
    round: currentRound,
    lastRound: round.lastRound ?? isLastRound(config, currentRound),
    names,
  });
  const environment = environmentOf(round, given, entries);
  const overrideFor = overrideChooser(round.evaluatorOverride, entries, environment.logger);

  for (const entry of due) {
    const ran = await runEvaluator(entry, { ...environment, ...(await round.anew?.()) }, overrideFor(entry));
    recordOutcome(state, ran.outcome, { first: entry.index === 0, several: entries.length > 1 });
    yield ran;
  }
}

/**
 * Records outcomes that came from elsewhere, for example from a worker that has died since.
 * @param claims where given, the outcomes' columns are taken in it
 */
export function applyOutcomes(
  state: StateMap,
  config: unknown,
  outcomes: readonly EvaluationOutcome[],
  claims?: ColumnClaims,
): void {
  const entries = tableEntries(config);
  for (const outcome of outcomes) {
    const entry = entries.find(({ name }) => name === outcome.name);
    if (entry === undefined) continue;
    recordOutcome(state, outcome, { first: entry.index === 0, several: entries.length > 1 });
    if (outcome.result !== null) {
      claims?.claim(entry, { metrics: outcome.result.metrics, details: outcome.details });
    }
  }
}

function environmentOf(
  round: EvaluationRound,
  { context, currentRound, clientId }: GivenContext,
  entries: readonly TableEntry[],
): EvaluationEnvironment {
  return {
    model: round.model,
    context,
    trainer: round.trainer,
    tokenizer: round.tokenizer ?? round.trainer?.tokenizer,
    config: round.config,
    testset: round.testset,
    sampler: round.sampler,
    localMetric: round.localMetric,
    round: currentRound,
    clientId,
    registry: round.registry ?? theRegistry,
    claims: round.claims ?? new ColumnClaims(entries),
    samplesFolder: round.samplesFolder,
    answersFolder: round.answersFolder,
    weightsDigest: round.weightsDigest,
    onProgress: round.onProgress,
    logger: round.logger ?? stderrLogger("info"),
    clock: round.clock ?? systemClock,
    signal: round.signal,
  };
}

/** Without `trainer.rounds` nobody knows, and only `every` decides. */
function isLastRound(config: unknown, round: number): boolean {
  const rounds: unknown = (config as { trainer?: { rounds?: unknown } } | null)?.trainer?.rounds;
  return typeof rounds === "number" && round >= rounds;
}

/** An override for another type is a mistake of whoever passed it: said once, not for every table. */
function overrideChooser(
  override: EvaluatorLike | undefined | null,
  entries: readonly TableEntry[],
  logger: Logger,
): (entry: TableEntry) => EvaluatorLike | undefined {
  if (override === undefined || override === null) return () => undefined;
  const type = (override.config as { type?: unknown } | null | undefined)?.type;
  if (!entries.some((entry) => entry.type === type)) {
    logger.warn(
      `The evaluator override is ignored: its own config's type is ${JSON.stringify(type)}, and the configured types are ${entries.map((entry) => JSON.stringify(entry.type)).join(", ")}.`,
    );
  }
  return (entry) => (entry.type === type ? override : undefined);
}
