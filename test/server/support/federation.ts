import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFedAvg } from "../../../src/algorithms/fedavg.js";
import { createLogger, type Logger, systemClock } from "../../../src/base/index.js";
import {
  type ClientOptions,
  type ClientStateStore,
  fileStateStores,
  type RunningClient,
  startClient,
} from "../../../src/client/index.js";
import { type Config, configSchema } from "../../../src/config/schema/config.js";
import type { EvaluationOutcome } from "../../../src/evaluators/index.js";
import type { RoundRecord } from "../../../src/results/index.js";
import {
  type RunningServer,
  type ServerEvent,
  type ServerOptions,
  startServer,
} from "../../../src/server/index.js";
import type { TestTask, TrainerHost, TrainOutcome, TrainTask } from "../../../src/trainers/index.js";
import type { Checkpoint, Weights } from "../../../src/weights/index.js";

type Overrides = { [Section in Exclude<keyof Config, "evaluation">]?: Record<string, unknown> } & {
  evaluation?: unknown;
};

/** A configuration of six clients, two per round, three rounds, with any of its keys replaced. */
export function configOf(overrides: Overrides = {}): Config {
  const base: Record<string, Record<string, unknown>> = {
    clients: { total_clients: 6, per_round: 2 },
    // Deadlines that a busy machine keeps; a test that is about one sets its own.
    server: { port: 0, connect_deadline: 20, round_deadline: 20, payload_timeout: 20, reconnect_grace: 10 },
    data: { datasource: "digits", sampler: "iid", partition_size: 60 },
    trainer: {
      type: "basic",
      rounds: 3,
      epochs: 1,
      batch_size: 8,
      optimizer: "SGD",
      model_name: "lenet5",
    },
    algorithm: { type: "fedavg" },
  };
  const { evaluation, ...sections } = overrides;
  const merged: Record<string, unknown> = { ...base };
  for (const [section, keys] of Object.entries(sections)) merged[section] = { ...base[section], ...keys };
  if (evaluation !== undefined) merged.evaluation = evaluation;
  return configSchema.parse(merged);
}

/** What a fake host does; all of it can be replaced. */
export interface FakeTraining {
  train?: (task: TrainTask, signal: AbortSignal) => Promise<TrainOutcome> | TrainOutcome;
  /** The scalar of a test. */
  scalar?: (task: TestTask) => number;
  evaluations?: (task: TestTask, names: readonly string[] | null) => EvaluationOutcome[];
  size?: number;
}

/** Weights with one array. */
export function weightsOf(...values: number[]): Weights {
  return new Map([["w", { dtype: "float32", shape: [values.length], data: Float32Array.from(values) }]]);
}

/**
 * Training of which every result follows from the logical client, the round and how often that client took
 * part: client k adds k / 8 + visits / 64 to each weight. All of it is exact in float32.
 */
export function addsItsNumber({ weights, clientId, state }: TrainTask): TrainOutcome {
  const visits = Number(state.get("visits") ?? 0) + 1;
  const { data, shape, dtype } = weights.get("w")!;
  const next = Float32Array.from(data as Float32Array, (value) => value + clientId / 8 + visits / 64);
  return {
    weights: new Map([["w", { dtype, shape, data: next }]]),
    numSamples: 10 * clientId,
    trainLoss: 1 / clientId,
    trainingTime: 0,
    scalar: null,
    state: new Map([["visits", visits]]),
  };
}

export function fakeHost(training: FakeTraining = {}): TrainerHost {
  const scalarOf = training.scalar ?? (({ weights }) => weights.get("w")!.data[0]!);
  const countTests = ({ state }: TestTask) => Number(state.get("tests") ?? 0) + 1;
  return {
    async initialWeights() {
      const size = training.size ?? 4;
      return new Map([["w", { dtype: "float32", shape: [size], data: new Float32Array(size) }]]);
    },
    async train(task, signal, progress) {
      progress?.({ stage: "train", clientId: task.clientId, done: 1, total: 1, note: "0.5" });
      return (training.train ?? addsItsNumber)(task, signal);
    },
    async test(task, _signal, progress) {
      progress?.({ stage: "test", clientId: 0, done: 1, total: 1 });
      return {
        scalar: { name: "accuracy", value: scalarOf(task), higherIsBetter: true },
        evaluations: training.evaluations?.(task, null) ?? [],
        state: new Map([...task.state, ["tests", countTests(task)]]),
      };
    },
    async evaluate(task) {
      return {
        scalar: task.scalar,
        evaluations: training.evaluations?.(task, task.names) ?? [],
        state: task.state,
      };
    },
    describe: async () => ({ backend: "none", evaluators: [] }),
    backend: async () => "none",
    close: async () => {},
  };
}

/** An outcome of the evaluator of that name, with anything replaced. */
export function outcomeOf(name: string, changed: Partial<EvaluationOutcome> = {}): EvaluationOutcome {
  return {
    name,
    type: name,
    status: "ok",
    reason: null,
    durationSeconds: 0,
    error: null,
    result: {
      evaluator: name,
      primary_metric: "score",
      metrics: { score: 0.5 },
      higher_is_better: { score: true },
      metadata: {},
      artifacts: {},
      primary_value: 0.5,
    },
    details: {},
    sums: {},
    sampled: null,
    failOnError: false,
    primaryHigherIsBetter: true,
    targetReached: false,
    ...changed,
  };
}

/** A federation in this process, over real sockets. Everything it leaves is removed by `close`. */
export interface TestFederation {
  readonly server: RunningServer;
  readonly events: ServerEvent[];
  readonly rows: RoundRecord[];
  readonly checkpoints: Checkpoint[];
  readonly logs: string[];
  readonly folder: string;
  client(processId: number, training?: FakeTraining, options?: Partial<ClientOptions>): RunningClient;
  /** The first event of a kind that fits, past or to come. */
  event<K extends ServerEvent["kind"]>(
    kind: K,
    fits?: (event: Extract<ServerEvent, { kind: K }>) => boolean,
  ): Promise<Extract<ServerEvent, { kind: K }>>;
  close(): Promise<void>;
}

export const TOKEN = "a-token-for-tests";

export async function startFederation(
  config: Config,
  {
    training = {},
    folder = mkdtempSync(join(tmpdir(), "elenchus-federation-")),
    ...options
  }: { training?: FakeTraining; folder?: string } & Partial<ServerOptions> = {},
): Promise<TestFederation> {
  const events: ServerEvent[] = [];
  const rows: RoundRecord[] = [];
  const checkpoints: Checkpoint[] = [];
  const logs: string[] = [];
  const logger: Logger = createLogger("debug", (line, level) => logs.push(`${level}: ${line}`));
  const watchers = new Set<(event: ServerEvent) => void>();
  const clients: RunningClient[] = [];
  const server = await startServer({
    config,
    runId: "test-run",
    spoolFolder: join(folder, "spool"),
    host: fakeHost(training),
    algorithm: createFedAvg(),
    record: { append: async (row) => void rows.push(row) },
    checkpoints: { save: async (checkpoint) => void checkpoints.push(checkpoint) },
    logger,
    clock: systemClock,
    token: TOKEN,
    onEvent(event) {
      events.push(event);
      for (const watcher of watchers) watcher(event);
    },
    ...options,
  });
  const states: (runId: string) => ClientStateStore = fileStateStores(join(folder, "states"), logger);

  return {
    server,
    events,
    rows,
    checkpoints,
    logs,
    folder,
    client(processId, own = training, changed = {}) {
      const client = startClient({
        config,
        url: server.url,
        token: TOKEN,
        processId,
        host: fakeHost(own),
        logger,
        clock: systemClock,
        stateStoreOf: states,
        connectSeconds: 10,
        ...changed,
      });
      client.done.catch(() => {});
      clients.push(client);
      return client;
    },
    event(kind, fits = () => true) {
      type Wanted = Extract<ServerEvent, { kind: typeof kind }>;
      const wanted = (event: ServerEvent): event is Wanted => event.kind === kind && fits(event as Wanted);
      const past = events.find(wanted);
      if (past !== undefined) return Promise.resolve(past);
      return new Promise((resolve) => {
        const watcher = (event: ServerEvent) => {
          if (!wanted(event)) return;
          watchers.delete(watcher);
          resolve(event);
        };
        watchers.add(watcher);
      });
    },
    async close() {
      for (const client of clients) client.stop("the test is over");
      server.stop("the test is over");
      await Promise.allSettled([server.done, ...clients.map(({ done }) => done)]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
