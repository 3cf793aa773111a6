import type { Logger } from "../base/index.js";
import type { Config } from "../config/index.js";
import { type EvaluationOutcome, strictFailure, tableEntries } from "../evaluators/index.js";
import type { ClientEvaluations } from "../results/index.js";
import type { HostProgress, ScalarMetric, TrainerHost } from "../trainers/index.js";
import type { Weights } from "../weights/index.js";
import { type ClientEvaluationBook, clientResultsEntry, withClientFailures } from "./clientEvaluations.js";
import { type ClientResult, scalarOfClients } from "./clientResults.js";
import type { Next } from "./rounds/federation.js";
import { nextAfter, type RoundVerdict, targetReached } from "./stopConditions.js";

/** What a test works on. */
export interface RoundTestOptions {
  readonly round: number;
  readonly config: Config;
  readonly host: TrainerHost;
  readonly weights: Weights;
  /** `context.state` of the server. */
  readonly state: ReadonlyMap<string, unknown>;
  readonly clients: readonly ClientResult[];
  /** Takes what clients reported of their evaluators. */
  readonly book: ClientEvaluationBook;
  readonly logger: Logger;
  /** Where evaluators log samples. */
  readonly samplesFolder?: string | undefined;
  /** Where answers of language models are kept. */
  readonly answersFolder?: string | undefined;
  readonly signal: AbortSignal;
  readonly progress: (progress: HostProgress) => void;
}

/** What it found, and what follows from that. */
export interface RoundTest {
  readonly scalar: ScalarMetric | null;
  /** Over clients when they tested, 0 when the server did. */
  readonly scalarStd: number | null;
  readonly evaluations: readonly EvaluationOutcome[];
  /** Of evaluators that ran on clients. */
  readonly clientEvaluations: readonly ClientEvaluations[];
  readonly state: ReadonlyMap<string, unknown>;
  readonly next: Next;
}

/**
 * Tests a round's weights and runs the evaluators that are due: all of them when this turns out to be the
 * last round because a target is reached.
 * @throws what the host rejects with
 */
export async function testRound(options: RoundTestOptions): Promise<RoundTest> {
  const { config, clients, book, logger } = options;
  const { evaluations: clientEvaluations, warnings } = book.take(clients);
  for (const warning of warnings) logger.warn(warning);
  const state = stateOf(options);
  const test = config.server.do_test ? await testOnServer({ ...options, state }) : fromClients(options);
  return { ...test, clientEvaluations };
}

/** Beside the server's own state what its evaluators may know of the round's clients; none of an earlier round. */
function stateOf({ state, clients }: RoundTestOptions): ReadonlyMap<string, unknown> {
  const next = new Map(state);
  if (clients.length > 0) next.set(CLIENT_RESULTS, clientResultsEntry(clients));
  else next.delete(CLIENT_RESULTS);
  return next;
}

/** Entry of `context.state`. */
const CLIENT_RESULTS = "client_results";

type OwnTest = Omit<RoundTest, "clientEvaluations">;

async function testOnServer(options: RoundTestOptions): Promise<OwnTest> {
  const { round, config, host, weights, samplesFolder, answersFolder, signal, progress } = options;
  const lastRound = round === config.trainer.rounds;
  const task = { round, weights, lastRound, state: options.state, samplesFolder, answersFolder };
  const tested = await host.test(task, signal, progress);

  let verdict = verdictOf(
    options,
    tested.scalar,
    withClientFailures(config, tested.evaluations, options.clients),
  );
  let { state } = tested;
  const endsHere = targetReached(verdict) !== null && strictFailure(verdict.evaluations) === undefined;
  const names = endsHere && !lastRound ? notYetRun(config, tested.evaluations) : [];
  if (names.length > 0) {
    const { scalar } = tested;
    const rest = await host.evaluate({ ...task, state, lastRound: true, names, scalar }, signal, progress);
    state = rest.state;
    const all = inTableOrder(config, [...tested.evaluations, ...rest.evaluations]);
    verdict = verdictOf(options, scalar, withClientFailures(config, all, options.clients));
  }
  const { scalar, evaluations } = verdict;
  return { scalar, scalarStd: 0, evaluations, state, next: nextAfter(verdict) };
}

function fromClients(options: RoundTestOptions): OwnTest {
  const found = scalarOfClients(options.clients);
  const scalar = found === null ? null : found.metric;
  const next = nextAfter(verdictOf(options, scalar, []));
  return {
    scalar,
    scalarStd: found === null ? null : found.std,
    evaluations: [],
    state: options.state,
    next,
  };
}

function verdictOf(
  { round, config }: RoundTestOptions,
  scalar: ScalarMetric | null,
  evaluations: readonly EvaluationOutcome[],
): RoundVerdict {
  const { rounds, target_accuracy: targetAccuracy, target_perplexity: targetPerplexity } = config.trainer;
  return { round, rounds, targetAccuracy, targetPerplexity, scalar, evaluations };
}

function notYetRun(config: Config, evaluations: readonly EvaluationOutcome[]): string[] {
  const done = new Set(evaluations.map(({ name }) => name));
  return tableEntries(config)
    .map(({ name }) => name)
    .filter((name) => !done.has(name));
}

/** In the order of the configuration's tables; what has no table comes last. */
function inTableOrder(config: Config, evaluations: EvaluationOutcome[]): EvaluationOutcome[] {
  const names = tableEntries(config).map(({ name }) => name);
  const place = (name: string) => (names.includes(name) ? names.indexOf(name) : names.length);
  return evaluations.sort((a, b) => place(a.name) - place(b.name));
}
