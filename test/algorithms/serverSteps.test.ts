import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Algorithm, algorithms } from "../../src/algorithms/index.js";
import { readCheckpoint, type Weights, writeCheckpoint } from "../../src/weights/index.js";
import { lineConfig } from "./support/lines.js";
import { floats, updateOf } from "./updates.js";

async function made(type: string, options: object = {}, server: object = {}): Promise<Algorithm> {
  const config = lineConfig({ algorithm: { type, ...options }, server });
  return algorithms.lookup(type)(config.algorithm, config);
}

/** One round in which a single client changes every weight by so much. */
async function step(algorithm: Algorithm, weights: Weights, change: number, state?: Weights) {
  const aggregation = algorithm.server.begin(weights, 1, state);
  const moved = [...weights.get("w")!.data].map((value) => value + change);
  await aggregation.fold(updateOf(1, 5, floats(...moved)));
  const next = await aggregation.finish();
  return { weights: next, state: aggregation.state!(), w: next.get("w")!.data[0]! };
}

async function twoSteps(algorithm: Algorithm): Promise<[number, number]> {
  const first = await step(algorithm, floats(0), 1);
  const second = await step(algorithm, first.weights, 2, first.state);
  return [first.w, second.w - first.w];
}

const half = { beta_1: 0.5, tau: 0.5, server_learning_rate: 1 };

/** Each goes by 1 and then by 2 from w = 0, worked out by hand. */
const STEPS: [string, string, object, object, [number, number]][] = [
  // v = 1, then 0.9 + 2 = 2.9
  ["momentum", "fedavgm", {}, {}, [1, 2.9]],
  ["momentum by half the rate", "fedavgm", { server_learning_rate: 0.5 }, {}, [0.5, 1.45]],
  ["no momentum", "fedavgm", { server_momentum: 0 }, {}, [1, 2]],
  // m = 0.5, v = 0.75 * 0.25 + 0.25 * 1 = 0.4375; then m = 1.25, v = 0.75 * 0.4375 + 0.25 * 4 = 1.328125
  [
    "Adam",
    "fedadam",
    { ...half, beta_2: 0.75 },
    {},
    [0.5 / (Math.sqrt(0.4375) + 0.5), 1.25 / (Math.sqrt(1.328125) + 0.5)],
  ],
  // m as above; v = 0.25 + 0.25 * 1 = 0.5, then 0.5 + 0.25 * 4 = 1.5
  ["Yogi", "fedyogi", { ...half, beta_2: 0.75 }, {}, [Math.SQRT2 - 1, 1.25 / (Math.sqrt(1.5) + 0.5)]],
  // v = 0.25 + 1 = 1.25, then 5.25
  [
    "Adagrad",
    "fedadagrad",
    { ...half, beta_1: 0 },
    {},
    [1 / (Math.sqrt(1.25) + 0.5), 2 / (Math.sqrt(5.25) + 0.5)],
  ],
  // v = 1: 0.7 * (1 + 0.9); v = 2.9: 0.7 * (2 + 0.9 * 2.9)
  ["DiLoCo's Nesterov", "diloco", {}, {}, [1.33, 3.227]],
  ["DiLoCo's momentum", "diloco", {}, { diloco: { outer_optimizer: "sgdm" } }, [0.7, 2.03]],
  ["DiLoCo's plain step", "diloco", {}, { diloco: { outer_optimizer: "sgd" } }, [0.7, 1.4]],
];

describe("a server's step", () => {
  it.each(STEPS)("by %s is as worked out by hand", async (_, type, options, server, expected) => {
    const found = await twoSteps(await made(type, options, server));
    expect(found[0]).toBeCloseTo(expected[0], 6);
    expect(found[1]).toBeCloseTo(expected[1], 6);
  });

  it("of Yogi lets the second moment go down slowly, where Adam's follows", async () => {
    // From v = 0.25, d^2 = 0.01: Yogi 0.25 - 0.25 * 0.01, Adam 0.75 * 0.25 + 0.25 * 0.01.
    const options = { ...half, beta_2: 0.75 };
    const squares = await Promise.all(
      ["fedyogi", "fedadam"].map(async (type) => {
        const { state } = await step(await made(type, options), floats(0), 0.1);
        return state.get("square/w")!.data[0];
      }),
    );
    expect(squares[0]).toBeCloseTo(0.2475, 6);
    expect(squares[1]).toBeCloseTo(0.19, 6);
  });

  it("goes on from a checkpoint bit for bit", async () => {
    const folder = mkdtempSync(join(tmpdir(), "elenchus-moments-"));
    const algorithm = await made("fedadam");
    const first = await step(algorithm, floats(0.1, -3, 7e-8), 0.3);
    const { path } = await writeCheckpoint(folder, {
      runId: "r",
      model: "m",
      round: 1,
      weights: first.weights,
      algorithm: first.state,
      clientRounds: new Map([[3, 1]]),
      row: null,
      state: new Map(),
      random: {},
      clocks: {},
      scalar: null,
      primary: null,
    });
    const read = await readCheckpoint(path);
    rmSync(folder, { recursive: true });

    expect(read.clientRounds).toEqual(new Map([[3, 1]]));
    const straight = await step(algorithm, first.weights, 0.7, first.state);
    const resumed = await step(await made("fedadam"), read.weights, 0.7, read.algorithm);
    expect(resumed).toEqual(straight);
  });

  it("refuses a state of another model", async () => {
    const { state } = await step(await made("fedavgm"), floats(0, 0), 1);
    await expect(step(await made("fedavgm"), floats(0), 1, state)).rejects.toMatchObject({
      code: "CHECKPOINT_INVALID",
      message: expect.stringContaining("velocity/w"),
    });
  });

  it("leaves weights and state as they are when nobody has trained", async () => {
    const algorithm = await made("fedadam");
    const first = await step(algorithm, floats(0), 1);
    const aggregation = algorithm.server.begin(first.weights, 2, first.state);
    await aggregation.fold(updateOf(1, 0, floats(9)));
    expect(await aggregation.finish()).toBe(first.weights);
    expect(aggregation.state!()).toBe(first.state);
  });

  it("gives running statistics and integers the plain mean, which momentum would drive below zero", async () => {
    const model = (w: number, variance: number, steps: number): Weights =>
      new Map([
        ["bn.weight", { dtype: "float32", shape: [1], data: Float32Array.of(w) }],
        ["bn.running_var", { dtype: "float32", shape: [1], data: Float32Array.of(variance) }],
        ["steps", { dtype: "int32", shape: [1], data: Int32Array.of(steps) }],
      ]);
    const run = async (apply: string) => {
      const server = {
        diloco: { outer_learning_rate: 1, outer_momentum: 0.5, apply_outer_optimizer_to: apply },
      };
      const { server: half } = await made("diloco", {}, server);
      const aggregation = half.begin(model(0, 4, 0), 1);
      await aggregation.fold(updateOf(1, 1, model(1, 1, 2)));
      await aggregation.fold(updateOf(2, 3, model(3, 1, 4)));
      return [...(await aggregation.finish()).values()].map(({ data }) => data[0]);
    };
    // w: the uniform mean 2, change 2, v = 2, 1 * (2 + 0.5 * 2) = 3. The variance changes by -3: 4 - (3 + 1.5) = -0.5.
    expect(await run("parameters")).toEqual([3, 1, 3]);
    expect(await run("all_floating")).toEqual([3, -0.5, 3]);
  });

  it("of DiLoCo weighs clients alike, or by samples where it is told to", async () => {
    const run = async (weighting: string) => {
      const server = {
        diloco: { outer_optimizer: "sgd", outer_learning_rate: 1, aggregation_weighting: weighting },
      };
      const aggregation = (await made("diloco", {}, server)).server.begin(floats(10), 1);
      await aggregation.fold(updateOf(1, 1, floats(12)));
      await aggregation.fold(updateOf(2, 3, floats(18)));
      return (await aggregation.finish()).get("w")!.data[0];
    };
    expect(await run("uniform")).toBe(15);
    expect(await run("num_samples")).toBe(16.5);
  });
});
