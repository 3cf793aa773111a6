// An empty round: small weights out to ten clients, back, and aggregated, with the product's own server, clients
// and stores over real sockets, all in one process; no test, no checkpoint, no row. Median over rounds, warm.
// Run: node --import tsx bench/rounds.ts
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFedAvg } from "../src/algorithms/fedavg.js";
import { silentLogger, systemClock } from "../src/base/index.js";
import { fileStateStores, startClient } from "../src/client/index.js";
import { configSchema } from "../src/config/schema/config.js";
import { startServer } from "../src/server/index.js";
import type { TrainerHost } from "../src/trainers/index.js";
import type { Weights } from "../src/weights/index.js";
import { untrained } from "./untrainedHost.js";

const CLIENTS = 10;
const WARM_UP = 100;
const ROUNDS = 300;
/** Largest median in milliseconds. */
const TARGET = 10;

const config = configSchema.parse({
  clients: { total_clients: CLIENTS, per_round: CLIENTS },
  server: { port: 0, do_test: false },
  data: { datasource: "digits", sampler: "iid" },
  trainer: {
    type: "basic",
    rounds: WARM_UP + ROUNDS,
    epochs: 1,
    batch_size: 1,
    optimizer: "SGD",
    model_name: "none",
  },
  algorithm: { type: "fedavg" },
});
const weights: Weights = new Map([["w", { dtype: "float32", shape: [100], data: new Float32Array(100) }]]);
const host: TrainerHost = { ...untrained, initialWeights: async () => weights };

const folder = mkdtempSync(join(tmpdir(), "elenchus-bench-rounds-"));
const stateStoreOf = fileStateStores(join(folder, "states"), silentLogger);
const starts: number[] = [];
const server = await startServer({
  config,
  runId: "bench",
  spoolFolder: join(folder, "spool"),
  host,
  algorithm: createFedAvg(),
  record: { append: async () => {} },
  checkpoints: { save: async () => {} },
  logger: silentLogger,
  clock: systemClock,
  token: "bench",
  onEvent({ kind }) {
    if (kind === "round_started") starts.push(performance.now());
  },
});
for (let processId = 1; processId <= CLIENTS; processId++) {
  startClient({
    config,
    url: server.url,
    token: "bench",
    processId,
    host,
    logger: silentLogger,
    clock: systemClock,
    stateStoreOf,
  });
}
const { status } = await server.done;
rmSync(folder, { recursive: true, force: true });

const times = starts.slice(1).map((start, index) => start - starts[index]!);
const sorted = times.slice(WARM_UP).sort((a, b) => a - b);
const at = (share: number) => Math.round(sorted[Math.floor(sorted.length * share)]! * 100) / 100;
console.log(
  JSON.stringify({
    clients: CLIENTS,
    rounds: sorted.length,
    status,
    median_ms: at(0.5),
    p90_ms: at(0.9),
    target: TARGET,
  }),
);
process.exitCode = status !== "completed" || at(0.5) > TARGET ? 1 : 0;
