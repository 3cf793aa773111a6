import { type ElenchusError, messageOf, sentence, withDeadline } from "../base/index.js";
import { processingOf } from "../processors/index.js";
import {
  createPayloadReceiver,
  createPayloadStore,
  createRefusalCounter,
  limitsOf,
  type RefusalCode,
} from "../protocol/index.js";
import type { Weights } from "../weights/index.js";
import { type Assign, createAssign } from "./assignments.js";
import { createClientEvaluationBook } from "./clientEvaluations.js";
import { type ClientLinks, createClientLinks, type FederationIo } from "./clientLinks.js";
import { farewellMessage } from "./farewellMessage.js";
import { firstUnboundedArray } from "./finiteWeights.js";
import { asElenchusError, createRoundLoop, type RoundLoop } from "./roundLoop.js";
import type { Effect } from "./rounds/effects.js";
import type { Ending } from "./rounds/federation.js";
import type { RoundEvent } from "./rounds/roundEvents.js";
import { type RoundTest, testRound } from "./roundTest.js";
import { openRound, type RoundWork, resultsOf } from "./roundWork.js";
import { checkpointOf, createRunMemory, rowOf } from "./runMemory.js";
import type { RunSummary } from "./runSummary.js";
import type { ServerEvent } from "./serverEvents.js";
import type { ServerOptions } from "./serverOptions.js";
import { createSpectator } from "./spectator.js";
import { startingPoint } from "./startingPoint.js";
import { createDeadlineTimer } from "./timers.js";
import { createUploads, type Uploads } from "./uploads.js";

/** Seconds that clients get to go by themselves when the run is over. */
const FAREWELL_SECONDS = 3;
/** Seconds for work that was stopped to come to an end. */
const WIND_UP_SECONDS = 30;

/** What is done for each effect. */
type Performers = { [Kind in Effect["kind"]]: (effect: Extract<Effect, { kind: Kind }>) => void };

/** A run: the round loop and the world it acts on. */
export interface FederationRun {
  readonly done: Promise<RunSummary>;
  /** @param listening what the spectator hears first */
  begin(listening: ServerEvent): void;
  stop(reason: string): void;
  fail(error: ElenchusError): void;
}

/** Puts a run together. `begin` starts it, once the server listens. */
export function createFederationRun(options: ServerOptions, io: FederationIo, start: Weights): FederationRun {
  const { config, runId, host, algorithm, logger, clock, resume } = options;
  const limits = limitsOf(config.server);
  const processing = processingOf(config);
  const memory = createRunMemory(config, clock, { weights: start, resume });
  const book = createClientEvaluationBook(config);
  const refused = createRefusalCounter();
  const abort = new AbortController();
  const store = createPayloadStore({ folder: options.spoolFolder });
  const timers = { connect: createDeadlineTimer(), round: createDeadlineTimer() };
  const running = new Set<Promise<void>>();
  let work: RoundWork | null = null;
  let tested: RoundTest | null = null;
  let finished: (summary: RunSummary) => void = () => {};
  const done = new Promise<RunSummary>((resolve) => {
    finished = resolve;
  });

  const tell = createSpectator(options.onEvent, logger);
  const onRefused = (code: RefusalCode, message: string, from: string) => {
    refused.count(code);
    logger.debug(`Refused [${code}] from ${from}: ${message}`);
  };
  const receiver = createPayloadReceiver({
    limits,
    store,
    onError: (error) => logger.error(`A payload could not be kept: ${sentence(messageOf(error))}`),
  });

  /** Starts work whose outcome is an event; an error ends the run. */
  const inBackground = (job: () => Promise<RoundEvent>) => {
    const outcome = job().then(
      (event) => loop.dispatch(event),
      (error) => loop.dispatch({ kind: "broken", error: asElenchusError(error) }),
    );
    running.add(outcome);
    void outcome.finally(() => running.delete(outcome));
  };

  const performers: Performers = {
    arm_connect: () =>
      timers.connect.start(config.server.connect_deadline, () => loop.dispatch({ kind: "connect_deadline" })),
    disarm_connect: () => timers.connect.stop(),
    arm_round: ({ round }) =>
      timers.round.start(config.server.round_deadline, () =>
        loop.dispatch({ kind: "round_deadline", round }),
      ),
    disarm_round: () => timers.round.stop(),
    select: ({ pool, count }) =>
      loop.dispatch({ kind: "selected", clients: memory.selection.draw(pool, count) }),
    open: ({ round, clients }) => open(round, clients),
    assign({ process, client }) {
      const session = links.ofProcess(process);
      if (session !== undefined) void assign(session, work!, client);
    },
    withdraw: (effect) => withdraw(effect),
    give_up: ({ client }) => work!.fold.giveUp(client),
    replace: ({ client, by }) => work!.fold.replace(client, by),
    aggregate: ({ round }) => inBackground(() => aggregate(round)),
    test: ({ round }) => inBackground(() => test(round)),
    record: ({ round }) => inBackground(() => record(round)),
    tell: ({ event }) => tell(event),
    close({ ending }) {
      void close(ending);
    },
  };
  const perform = (effect: Effect) => (performers[effect.kind] as (effect: Effect) => void)(effect);

  const open = (round: number, clients: readonly number[]) => {
    const order = config.server.aggregation_order;
    const { weights, algorithm: state } = memory;
    memory.roundOpened();
    work = openRound({
      round,
      clients,
      weights,
      limits,
      processing,
      seed: config.trainer.random_seed,
      algorithm: algorithm.server,
      state,
      order,
    });
    work.payload.catch((error) => loop.dispatch({ kind: "broken", error: asElenchusError(error) }));
    tell({ kind: "round_started", round, rounds: config.trainer.rounds, clients });
  };
  const withdraw = (effect: Extract<Effect, { kind: "withdraw" }>) => {
    const session = links.ofProcess(effect.process);
    if (session === undefined) return;
    const { round, client, reason } = effect;
    session.sending?.abort();
    uploads.interrupt(session, reason);
    session.socket?.emit("withdraw", { round, client_id: client, reason });
  };

  const aggregate = async (round: number): Promise<RoundEvent> => {
    const { weights, clients, state } = await work!.fold.finish();
    memory.roundClosed(resultsOf(work));
    // What the algorithm carries on must be finite too, else the round after breaks.
    const unbounded = firstUnboundedArray(weights) ?? firstUnboundedArray(state ?? new Map());
    if (unbounded !== undefined) {
      // Finite numbers whose sum is not: one sender of such must not end the run, nor its model.
      logger.warn(
        `Round ${round} changes nothing: the aggregated array ${JSON.stringify(unbounded)} is not finite, though every update was. One of the clients ${clients.join(", ")} sent numbers out of all proportion, or the server's step is too large.`,
      );
      tell({ kind: "aggregated", round, updates: 0 });
      return { kind: "aggregated", round };
    }
    memory.weights = weights;
    memory.algorithm = state ?? memory.algorithm;
    for (const client of clients) memory.lastRounds?.set(client, round);
    tell({ kind: "aggregated", round, updates: clients.length });
    return { kind: "aggregated", round };
  };
  const test = async (round: number): Promise<RoundEvent> => {
    tested = await testRound({
      round,
      config,
      host,
      weights: memory.weights,
      state: memory.state,
      clients: resultsOf(work),
      book,
      logger,
      samplesFolder: options.samplesFolder,
      answersFolder: options.answersFolder,
      signal: abort.signal,
      progress: (progress) => tell({ kind: "testing", round, progress }),
    });
    memory.state = tested.state;
    tell({ kind: "tested", round, scalar: tested.scalar });
    for (const outcome of tested.evaluations) tell({ kind: "evaluated", round, outcome });
    return { kind: "tested", round, next: tested.next };
  };
  const record = async (round: number): Promise<RoundEvent> => {
    const row = rowOf(memory, { config, round, test: tested!, clients: resultsOf(work) });
    await options.checkpoints.save(checkpointOf(memory, { runId, config, row, test: tested! }));
    await options.record.append(row);
    memory.lastRow = row;
    work = null;
    tell({ kind: "row_recorded", record: row });
    return { kind: "recorded", round };
  };

  const lastWords = (ending: Ending) =>
    farewellMessage({
      ending,
      rounds: memory.lastRow?.round ?? 0,
      lastRow: memory.lastRow === null ? undefined : options.lastRow,
      limits,
      logger,
    });
  const close = async (ending: Ending) => {
    const { status, reason } = ending;
    tell({ kind: "closing", connected: links.connected() });
    abort.abort(ending.error ?? new Error(reason));
    const attempts = [
      async () => links.farewell(await lastWords(ending), FAREWELL_SECONDS),
      () => io.close(),
      () => withDeadline(Promise.all(running), WIND_UP_SECONDS * 1000, "Winding up the round"),
      () => work?.fold.abandon(),
      () => store.close(),
    ];
    for (const attempt of attempts) {
      try {
        await attempt();
      } catch (error) {
        logger.warn(`While the server closed: ${sentence(messageOf(error))}`);
      }
    }
    if (refused.total > 0) logger.info(`Refused messages and connections: ${refused}.`);
    const summary = {
      status,
      rounds: memory.lastRow?.round ?? 0,
      lastRow: memory.lastRow,
      reason,
      error: ending.error,
      refused: Object.fromEntries(refused.byCode()),
    };
    tell({ kind: "closed", summary });
    finished(summary);
  };

  const loop: RoundLoop = createRoundLoop(startingPoint(options), perform);
  const links: ClientLinks = createClientLinks({
    io,
    runId,
    token: options.token,
    limits,
    graceSeconds: config.server.reconnect_grace,
    loop: () => loop,
    receiver,
    uploads: () => uploads,
    onRefused,
    tell,
    logger,
  });
  const assign: Assign = createAssign({
    loop: () => loop,
    config,
    limits,
    memory,
    clock,
    hang: (session, reason) => links.hang(session, reason),
  });
  const uploads: Uploads = createUploads({
    config,
    loop: () => loop,
    work: () => work,
    memory,
    receiver,
    store,
    pipeline: processing.up,
    clock,
    logger,
    tell,
  });

  return {
    done,
    begin(listening) {
      tell(listening);
      const { stage } = loop.state;
      if (stage.phase === "closed") perform({ kind: "close", ending: stage.ending });
      else perform({ kind: "arm_connect" });
    },
    stop: (reason) => loop.dispatch({ kind: "stop_requested", reason }),
    fail: (error) => loop.dispatch({ kind: "broken", error }),
  };
}
