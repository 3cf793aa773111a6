import { expect, test } from "vitest";
import type { Weights } from "../../src/weights/index.js";
import { tinyConfig } from "./fixtures/tinyConfig.js";
import { tinyHost, unstopped } from "./fixtures/tinyHost.js";
import "./fixtures/tinyWorld.js";

const nothing = new Map<string, unknown>();
const config = tinyConfig({ trainer: { backend: "wasm", optimizer: "Adam" } });

test("one worker, two, or none: the same weights, bit for bit, in whatever order clients come", async () => {
  const local = await tinyHost(config, "process");
  const first = await tinyHost(config, "worker");
  const second = await tinyHost(config, "worker");
  const hosts = [local.host, first.host, second.host];
  const weights = await local.host.initialWeights();
  const trained = (host: (typeof hosts)[number], clientId: number) =>
    host.train({ round: 2, clientId, weights, test: true, state: nothing }, unstopped);

  const inProcess = [await trained(local.host, 1), await trained(local.host, 3)];
  const oneWorker = [await trained(first.host, 3), await trained(first.host, 1)].reverse();
  const twoWorkers = await Promise.all([trained(first.host, 1), trained(second.host, 3)]);
  const bits = (outcomes: readonly { weights: Weights; trainLoss: number | null; scalar: unknown }[]) =>
    outcomes.map(({ weights, trainLoss, scalar }) => ({ weights, trainLoss, scalar }));

  expect(await first.host.initialWeights()).toEqual(weights);
  expect(bits(oneWorker)).toEqual(bits(inProcess));
  expect(bits(twoWorkers)).toEqual(bits(inProcess));
  for (const host of hosts) {
    const task = { round: 2, weights: inProcess[0]!.weights, lastRound: false, state: nothing };
    expect((await host.test(task, unstopped)).scalar).toEqual(inProcess[0]!.scalar);
    expect(await host.backend()).toBe("wasm");
    await host.close();
  }
});
