import { afterEach, describe, expect, it } from "vitest";
import type { TrainerHost, TrainTask } from "../../src/trainers/index.js";
import type { Weights } from "../../src/weights/index.js";
import {
  configOf,
  type FakeTraining,
  fakeHost,
  startFederation,
  type TestFederation,
} from "./support/federation.js";

let federation: TestFederation;
afterEach(() => federation?.close());

const SIDE = 16;
const square = (value: (index: number) => number): Weights =>
  new Map([
    [
      "kernel",
      {
        dtype: "float32",
        shape: [SIDE, SIDE],
        data: Float32Array.from({ length: SIDE ** 2 }, (_, index) => value(index)),
      },
    ],
  ]);

/** Client k adds (index + k) / 1024 to each weight. */
const training: FakeTraining = {
  train: ({ weights, clientId }: TrainTask) => {
    const { data } = weights.get("kernel")!;
    return {
      weights: square((index) => data[index]! + (index + clientId) / 1024),
      numSamples: 10,
      trainLoss: null,
      trainingTime: 1,
      scalar: null,
      state: new Map(),
    };
  },
  scalar: ({ weights }) => [...weights.get("kernel")!.data].reduce((sum, value) => sum + value, 0),
};

const host: TrainerHost = { ...fakeHost(training), initialWeights: async () => square(() => 0) };

async function run(
  clients: Record<string, unknown>,
  server: Record<string, unknown> = {},
  { processes = 1, parameters = {}, rounds = 2 } = {},
) {
  const config = configOf({
    clients: { total_clients: 4, per_round: 4, ...clients },
    server,
    trainer: { rounds },
    parameters: { processors: parameters },
  });
  federation = await startFederation(config, { training, host, launched: processes });
  for (let process = 1; process <= processes; process++) federation.client(process);
  const summary = await federation.server.done;
  const weights = federation.checkpoints.at(-1)?.weights.get("kernel")?.data;
  const rows = federation.rows.map(({ items }) => items);
  await federation.close();
  return { summary, weights, rows };
}

describe("a run with processors", () => {
  it("gives the same weights where nothing is lost, from fewer bytes", async () => {
    const plain = await run({});
    const packed = await run({ outbound_processors: ["zstd"] }, { outbound_processors: ["deflate"] });
    expect(packed.summary.status).toBe("completed");
    expect(packed.weights).toEqual(plain.weights);
    expect(Number(packed.rows[1]!.comm_overhead)).toBeLessThan(Number(plain.rows[1]!.comm_overhead));
  });

  it("counts the bytes of each round beside those of all", async () => {
    const { rows } = await run({});
    expect(rows[0]!.round_comm_overhead).toBe(rows[0]!.comm_overhead);
    expect(Number(rows[0]!.round_comm_overhead) + Number(rows[1]!.round_comm_overhead)).toBeCloseTo(
      Number(rows[1]!.comm_overhead),
      12,
    );
  });

  it("sends the largest changes first and the others later, as worked by hand", async () => {
    // Of 256 changes the last one alone: those of the clients 1 to 4 have the mean (255 + 2.5) / 1024.
    const parameters = { top_k: { ratio: 1 / 256 } };
    const one = await run({ outbound_processors: ["top_k"] }, {}, { parameters, rounds: 1 });
    expect([...one.weights!].filter((value) => value !== 0)).toEqual([257.5 / 1024]);
    // In the second round what was left of 254 is sent with what is new: twice the mean (254 + 2.5) / 1024.
    const two = await run({ outbound_processors: ["top_k"] }, {}, { parameters, rounds: 2 });
    expect([...two.weights!.slice(-2)]).toEqual([(2 * 256.5) / 1024, 257.5 / 1024]);
  });

  it("gives the same weights and bytes with one process and with many", async () => {
    const lists = { outbound_processors: ["top_k", "qsgd", "zstd"] };
    const parameters = { top_k: { ratio: 0.1 }, qsgd: { levels: 8 } };
    const facts = async (processes: number) => {
      const { weights, rows } = await run(
        lists,
        { outbound_processors: ["float16"] },
        { processes, parameters },
      );
      return { weights, rows: rows.map(({ accuracy, comm_overhead }) => [accuracy, comm_overhead]) };
    };
    expect(await facts(3)).toEqual(await facts(1));
  });

  it("simulates its clock by bytes and speeds, the same with any number of processes", async () => {
    const clients = {
      speed_simulation: true,
      sleep_simulation: true,
      avg_training_time: 3,
      compute_comm_time: true,
      simulation_distribution: { distribution: "uniform", low: 1, high: 9 },
    };
    const times = async (processes: number) => {
      const { rows } = await run(clients, { simulate_wall_time: true }, { processes });
      return rows.map(({ elapsed_time, round_time, comm_time, processing_time }) =>
        [elapsed_time, round_time, comm_time, processing_time].map(Number),
      );
    };
    const found = await times(1);
    expect(await times(3)).toEqual(found);
    const [first, second] = found;
    // All four members in every round: each takes as long as the slowest, 4 s to 12 s of training.
    expect(second![0]).toBeCloseTo(2 * first![0]!, 9);
    expect(first![0]).toBe(first![1]);
    expect(first![1]).toBeGreaterThan(4);
    expect(first![1]).toBeLessThan(12.1);
    expect(first![2]).toBeGreaterThan(0);
    expect(first![3]).toBeCloseTo(0, 9);
  });

  it("refuses the updates of a client that has other processors, and says why", async () => {
    const config = configOf({ clients: { total_clients: 1, per_round: 1, outbound_processors: ["zstd"] } });
    federation = await startFederation(config, { training, host });
    const other = configOf({ clients: { total_clients: 1, per_round: 1, outbound_processors: ["deflate"] } });
    federation.client(1, training, { config: other });
    const { error } = await federation.server.done;
    expect(error).toMatchObject({ code: "QUORUM_MISSED" });
    const failure = federation.events.find(({ kind }) => kind === "client_failed");
    expect(failure).toMatchObject({
      code: "PAYLOAD_INVALID",
      message: expect.stringContaining("clients.outbound_processors"),
    });
  });
});
