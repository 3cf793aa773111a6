import { tmpdir } from "node:os";
import { ElenchusError, messageOf, sentence, withDeadline } from "../base/index.js";
import { processingOf } from "../processors/index.js";
import {
  ACCEPTED,
  type Assign,
  askOf,
  createPayloadReceiver,
  createPayloadStore,
  createRefusalCounter,
  cutText,
  type End,
  type Handshake,
  limitsOf,
  openDoor,
  type PayloadReceiver,
  PROTOCOL_VERSION,
  type ReceivedPayload,
  type RefusalCode,
  type Reply,
  refuse,
  TO_CLIENT,
  type Welcome,
} from "../protocol/index.js";
import type { TrainTask } from "../trainers/index.js";
import type { Weights } from "../weights/index.js";
import type { ClientOptions, ClientSummary, RunningClient } from "./clientOptions.js";
import type { ClientStateStore } from "./clientStateStore.js";
import { openConnection } from "./connection.js";
import { deliver } from "./delivery.js";
import { createProgressReport } from "./progressReport.js";
import { simulatedTime } from "./simulatedSpeed.js";
import { processedUpdate } from "./updateProcessing.js";
import { failedWork, isSameWork, type Work, type WorkResult, workFor } from "./work.js";

const CONNECT_SECONDS = 600;
/** Seconds that training gets to stop when the client ends. */
const WIND_UP_SECONDS = 10;

const NO_WELCOME = refuse("foreign", "There was no welcome on this connection.");

/** What the server said when the connection was made. */
interface Session extends Welcome {
  readonly receiver: PayloadReceiver;
  readonly states: ClientStateStore;
}

/** Connects to the server and trains for it until the run ends. It may start before the server. */
export function startClient(options: ClientOptions): RunningClient {
  const { config, url, host, logger, clock, processId, signal } = options;
  const limits = limitsOf(config.server);
  const processing = processingOf(config);
  const told = options.launched ? "debug" : "warn";
  // Weights are unpacked as soon as they are whole, so that they need no file between.
  const store = createPayloadStore({ folder: tmpdir(), memoryBytes: Number.POSITIVE_INFINITY });
  let session: Session | null = null;
  const refused = createRefusalCounter();
  let connections = 0;
  let work: Work | null = null;
  let trained = 0;
  let runId: string | null = null;
  /** Those before the round that this client last had a part in. */
  let finishedRounds = 0;
  /** Settles when the host is free. */
  let hostFree: Promise<void> = Promise.resolve();
  let settle: { resolve(summary: ClientSummary): void; reject(error: unknown): void };
  const done = new Promise<ClientSummary>((resolve, reject) => {
    settle = { resolve, reject };
  });

  const handshake = (): Handshake => ({
    protocol: PROTOCOL_VERSION,
    token: options.token,
    process: processId,
    ...(session === null ? {} : { session: session.session }),
    ...(config.server.disable_clients ? { client_id: processId } : {}),
  });
  const dropWork = () => {
    work?.abort.abort();
    work = null;
  };
  const windUp = async (end: () => void) => {
    dropWork();
    connection.close();
    signal?.removeEventListener("abort", onAbort);
    await withDeadline(hostFree, WIND_UP_SECONDS * 1000, "Stopping training").catch((error) =>
      logger.warn(messageOf(error)),
    );
    if (refused.total > 0) logger.info(`Refused messages of the server: ${refused}.`);
    end();
  };
  const fail = (error: ElenchusError) => void windUp(() => settle.reject(error));
  const finish = ({ last_row: lastRow, ...end }: End) =>
    void windUp(() => settle.resolve({ ...end, lastRow, runId, trained }));

  const onRefused = (_event: string, code: RefusalCode, message: string) => {
    refused.count(code);
    // Of a server that keeps to the protocol these two never come; the others are the course of events.
    const level = code === "malformed" || code === "too_large" ? "warn" : "debug";
    logger[level](`A message of the server was refused [${code}]: ${sentence(message)}`);
  };

  const welcome = (message: Welcome): Reply => {
    const chunkBytes = message.limits.chunk_bytes;
    if (chunkBytes > limits.chunk_bytes) {
      fail(otherChunks(url, chunkBytes, limits.chunk_bytes));
      return refuse("too_large", "The chunks would be larger than this client takes.");
    }
    connections++;
    connection.established();
    if (session !== null && session.session !== message.session) dropWork();
    session?.receiver.drop("server", "expired", "The connection was made anew.");
    const states = session?.run_id === message.run_id ? session.states : options.stateStoreOf(message.run_id);
    const receiver = createPayloadReceiver({
      limits: message.limits,
      store,
      onError: (error) =>
        logger.error(`The global weights could not be taken: ${sentence(messageOf(error))}`),
    });
    session = { ...message, receiver, states };
    runId = message.run_id;
    logger.debug(`Connected to run ${message.run_id} as process ${processId}.`);
    if (work?.result) void handOver(work, work.result);
    return ACCEPTED;
  };

  const assign = (message: Assign): Reply => {
    if (session === null) return NO_WELCOME;
    const isRepeated = work !== null && isSameWork(work, message) && work.connection < connections;
    if (isRepeated && work!.transfer === null) {
      work!.connection = connections;
      return refuse("duplicate", "The work is under way.");
    }
    dropWork();
    const mine = workFor(message, connections);
    const reply = session.receiver.open("server", message.transfer, {
      accept: (payload) => unpack(mine, payload),
      lost: (code, text) => logger.debug(`The global weights did not arrive [${code}]: ${text}`),
    });
    if (!reply.ok) return reply;
    work = mine;
    finishedRounds = message.round - 1;
    return reply;
  };
  const unpack = async (mine: Work, payload: ReceivedPayload): Promise<Reply> => {
    let weights: Weights;
    try {
      weights = await processing.down.decodeWeights(payload, { limit: limits.payload_bytes });
    } catch (error) {
      return refuse("corrupt", messageOf(error));
    }
    mine.transfer = null;
    const free = hostFree;
    hostFree = free.then(() => train(mine, weights));
    return ACCEPTED;
  };

  const train = async (mine: Work, weights: Weights): Promise<void> => {
    if (work !== mine || session === null) return;
    const { states } = session;
    const { round, clientId, test, lastRound, abort } = mine;
    const progress = createProgressReport(mine, clock, (message) =>
      connection.socket.volatile.emit("progress", message),
    );
    let result: WorkResult;
    try {
      const state = await states.load(clientId, round, lastRound);
      if (abort.signal.aborted) return;
      const samplesFolder = options.samplesFolderOf?.(session.run_id, clientId);
      const task = { round, clientId, weights, test, state, lastRound, samplesFolder };
      const train = async (own: TrainTask) => {
        const outcome = await host.train(own, abort.signal, progress);
        const { trainingTime } = outcome;
        const took = await simulatedTime(config, { clientId, trainingTime }, abort.signal);
        return { ...outcome, trainingTime: took };
      };
      const { state: left, ...update } = await processedUpdate(task, train, { config, processing, clock });
      if (abort.signal.aborted) return;
      await states.save(clientId, round, left, lastRound);
      trained++;
      result = { kind: "update", ...update };
    } catch (error) {
      if (abort.signal.aborted) return;
      logger[told](`Client ${clientId} failed in round ${round}: ${sentence(messageOf(error))}`);
      result = failedWork(error);
    }
    mine.result = result;
    void handOver(mine, result);
  };
  const handOver = async (mine: Work, result: WorkResult) => {
    if (session === null || !connection.socket.connected) return;
    const ask = askOf(connection.socket);
    const delivered = await deliver(mine, result, { ask, limits: session.limits, logger, told });
    if (delivered && work === mine) work = null;
  };

  const connection = openConnection({
    url,
    handshake,
    limits,
    trust: options.trust,
    connectSeconds: options.connectSeconds ?? CONNECT_SECONDS,
    logger,
    onSessionUnknown() {
      dropWork();
      session = null;
    },
    onLost: () => session?.receiver.drop("server", "expired", "The connection was lost."),
    onFailure: fail,
  });
  openDoor(
    connection.socket,
    TO_CLIENT,
    {
      welcome,
      assign,
      chunk: (message, data) => session?.receiver.chunk("server", message, data) ?? NO_WELCOME,
      transfer_done: (message) => session?.receiver.done("server", message) ?? NO_WELCOME,
      withdraw(message) {
        if (work !== null && isSameWork(work, message)) {
          logger.info(
            `Client ${message.client_id} is withdrawn from round ${message.round}: ${sentence(message.reason)}`,
          );
          dropWork();
        }
        return ACCEPTED;
      },
      end(message) {
        finish(message);
        return ACCEPTED;
      },
    },
    {
      reportBytes: limits.report_bytes,
      onRefused,
      onError: (error) =>
        logger.error(`A message of the server could not be worked on: ${sentence(messageOf(error))}`),
    },
  );

  const stop = (reason: string) => {
    if (connection.socket.connected) connection.socket.emit("leave", { reason: cutText(reason) });
    finish({ status: "interrupted", reason, rounds: finishedRounds, last_row: null, error: null });
  };
  const onAbort = () => stop("the client was told to stop");
  signal?.addEventListener("abort", onAbort, { once: true });
  if (signal?.aborted) onAbort();
  return { done, stop };
}

/** A connection would end with the first chunk. */
function otherChunks(url: string, found: number, own: number): ElenchusError {
  return new ElenchusError(
    "CONFIG_CONFLICT",
    `The server at ${url} sends chunks of ${found} bytes; this client takes at most ${own}. Give both the same server.max_chunk_bytes.`,
    { details: { url, found, own } },
  );
}
