import { describe, expect, test } from "vitest";
import { createFedAvg } from "../../src/algorithms/fedavg.js";
import type { Weights } from "../../src/weights/index.js";
import { updateOf } from "../algorithms/updates.js";
import { tinyConfig } from "./fixtures/tinyConfig.js";
import { tinyHost, unstopped } from "./fixtures/tinyHost.js";
import "./fixtures/tinyWorld.js";

const FREED = ["fc2.weight", "fc2.bias"];

describe("a federation that trains only some weights", () => {
  const task = (weights: Weights, clientId = 1) => ({
    ...{ round: 1, clientId, weights, test: true },
    state: new Map<string, unknown>(),
  });

  test("sends, averages and tests those alone", async () => {
    const { host } = await tinyHost(tinyConfig({ trainer: { trainable: ["fc2"] } }), "process");
    const initial = await host.initialWeights();
    expect([...initial.keys()]).toEqual([...FREED, "frozen.sha256"]);

    const aggregation = createFedAvg().server.begin(initial, 1);
    for (const clientId of [1, 2]) {
      const { weights, numSamples, scalar } = await host.train(task(initial, clientId), unstopped);
      expect([...weights.keys()]).toEqual([...initial.keys()]);
      for (const name of FREED) expect(weights.get(name)).not.toEqual(initial.get(name));
      expect(scalar!.value).toBeGreaterThan(0);
      await aggregation.fold(updateOf(clientId, numSamples, weights));
    }
    const mean = await aggregation.finish();
    // Averages of 32 equal bytes are those bytes.
    expect(mean.get("frozen.sha256")).toEqual(initial.get("frozen.sha256"));
    const { scalar } = await host.test({ ...task(mean), lastRound: false }, unstopped);
    expect(scalar!.value).toBeGreaterThan(0);
    await host.close();
  });

  test("is the same to the bit in a worker", async () => {
    const config = tinyConfig({ trainer: { trainable: ["!fc1.bias"] } });
    const outcomes: Weights[] = [];
    for (const where of ["process", "worker"] as const) {
      const { host } = await tinyHost(config, where);
      const { weights } = await host.train(task(await host.initialWeights()), unstopped);
      outcomes.push(weights);
      await host.close();
    }
    expect(outcomes[0]).toEqual(outcomes[1]);
    expect([...outcomes[0]!.keys()]).toEqual(["fc1.weight", ...FREED, "frozen.sha256"]);
  });

  test("refuses what another base was trained with", async () => {
    const trainable = ["fc2"];
    const { host } = await tinyHost(tinyConfig({ trainer: { trainable } }), "process");
    const { host: other } = await tinyHost(tinyConfig({ trainer: { trainable, random_seed: 2 } }), "process");
    const foreign = await other.initialWeights();
    await expect(host.train(task(foreign), unstopped)).rejects.toMatchObject({
      code: "WEIGHTS_INVALID",
      message: expect.stringContaining("trainer.random_seed"),
    });
    await host.close();
    await other.close();
  });

  test("is not begun with a pattern that fits nothing", async () => {
    const { host } = await tinyHost(tinyConfig({ trainer: { trainable: "fc9" } }), "process");
    await expect(host.initialWeights()).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message: expect.stringContaining('the pattern "fc9" fits no weight of multilayer'),
    });
    await host.close();
  });
});
