import * as tf from "@tensorflow/tfjs-core";
import { expect, test } from "vitest";
import { tinyConfig } from "./fixtures/tinyConfig.js";
import { tinyHost, unstopped } from "./fixtures/tinyHost.js";
import "./fixtures/tinyWorld.js";

const nothing = new Map<string, unknown>();

test("holds the same tensors after many clients and tests, and none once closed", async () => {
  const evaluation = [{ type: "counting" }, { type: "predicting" }, { type: "throws_text" }];
  const { host } = await tinyHost(tinyConfig({ trainer: { optimizer: "Adam" }, evaluation }), "process");
  await host.describe();
  const before = tf.memory().numTensors;
  let weights = await host.initialWeights();
  const held = tf.memory().numTensors;
  for (const clientId of [1, 2, 3, 1]) {
    ({ weights } = await host.train({ round: 1, clientId, weights, test: true, state: nothing }, unstopped));
    await host.test({ round: 1, weights, lastRound: true, state: nothing }, unstopped);
    expect(tf.memory().numTensors).toBe(held);
  }
  await host.close();

  expect(held).toBeGreaterThan(before);
  expect(tf.memory().numTensors).toBe(before);
});
