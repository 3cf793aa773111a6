// One run of the benchmark of logical clients: a server, client processes and workers as `elenchus run` starts them.
import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { silentLogger, systemClock } from "../src/base/index.js";
import { runFederation } from "../src/cli/federation.js";
import { round } from "./benchProcess.js";
import { residentBytes } from "./residentBytes.js";

/** What is said of a run. */
export interface LogicalClientsRun {
  readonly clients: number;
  readonly per_round: number;
  readonly processes: number;
  readonly rounds_per_second: number;
  /** Milliseconds of a round for each of its members. */
  readonly ms_per_member: number;
  /** Share of the processes' time in which none of them trained. */
  readonly outside_training: number;
  /** Of all processes together, after the second round and after the last. */
  readonly first_mb: number;
  readonly last_mb: number;
}

/** Members that train altogether, apart from those of two rounds at the beginning. */
const MEMBERS = 400;
const WARM_UP = 2;

const clients = Number(process.argv[2]);
const datasource = process.argv[3] ?? "digits";
const perRound = Math.min(clients, 100);
const processes = availableParallelism();
const rounds = WARM_UP + MEMBERS / perRound;
const folder = mkdtempSync(join(tmpdir(), "elenchus-bench-clients-"));

const ends: number[] = [];
const memory: number[] = [];
let training = 0;
const finished = await runFederation(
  {
    config: {
      general: { base_path: folder },
      clients: { total_clients: clients, per_round: perRound },
      server: { port: 0, do_test: false },
      data: { datasource, sampler: "noniid", partition_size: 16, concentration: 0.5, ...placeOf(datasource) },
      trainer: {
        type: "basic",
        model_name: "lenet5",
        max_concurrency: processes,
        rounds,
        epochs: 1,
        batch_size: 16,
        optimizer: "SGD",
      },
      parameters: { optimizer: { lr: 0.01 } },
      algorithm: { type: "fedavg" },
      results: { types: ["round", "train_loss"] },
    },
    imports: [],
    load: [],
    log: "silent",
    launchClients: true,
  },
  {
    logger: silentLogger,
    clock: systemClock,
    signal: new AbortController().signal,
    onEvent(event) {
      if (event.kind === "update_received" && event.round > WARM_UP) training += event.trainingTime;
      if (event.kind !== "row_recorded") return;
      ends.push(performance.now());
      memory.push(residentBytes(process.pid));
    },
  },
);
rmSync(folder, { recursive: true, force: true });
if (finished.error !== null) throw finished.error;

const seconds = (ends.at(-1)! - ends[WARM_UP - 1]!) / 1000;
const run: LogicalClientsRun = {
  clients,
  per_round: perRound,
  processes,
  rounds_per_second: round((rounds - WARM_UP) / seconds),
  ms_per_member: round((seconds * 1000) / MEMBERS),
  outside_training: round(1 - training / (seconds * processes)),
  first_mb: Math.round(memory[WARM_UP - 1]! / 2 ** 20),
  last_mb: Math.round(memory.at(-1)! / 2 ** 20),
};
console.log(JSON.stringify(run));

/** Where the machine's own copy of Fashion-MNIST is looked for is the data source's affair; others ship along. */
function placeOf(name: string): Record<string, unknown> {
  const path = process.env.ELENCHUS_BENCH_DATA;
  return name === "digits" || path === undefined ? {} : { data_path: path };
}
