import * as tf from "@tensorflow/tfjs-core";
import * as layers from "@tensorflow/tfjs-layers";
import { describe, expect, test } from "vitest";
import { modelFromLayers } from "../../src/models/kit.js";
import { expectClose } from "../support/cpuTensors.js";
import { modelSuite } from "./suites/modelSuite.js";

function normalised() {
  const model = layers.sequential();
  const kernelInitializer = layers.initializers.glorotUniform({ seed: 3 });
  model.add(layers.layers.dense({ units: 4, inputShape: [2], kernelInitializer }));
  model.add(layers.layers.batchNormalization({ momentum: 0.5 }));
  model.add(layers.layers.dense({ units: 3, kernelInitializer }));
  return modelFromLayers("normalised", model);
}

modelSuite("made of layers", async () => normalised(), [2]);

describe("a model made of layers", () => {
  test("names weights by place, so that every process names them alike", () => {
    const names = [
      "0.kernel",
      "0.bias",
      "1.gamma",
      "1.beta",
      "1.moving_mean",
      "1.moving_variance",
      "2.kernel",
      "2.bias",
    ];
    expect([...normalised().weights().keys()]).toEqual(names);
    expect([...normalised().weights().keys()]).toEqual(names);
  });

  test("sends moving averages along, and does not train them by gradient", () => {
    const model = normalised();
    expect([...model.variables.keys()]).not.toContain("1.moving_mean");
    const before = model.weights().get("1.moving_mean")!.data;
    expectClose(before, [0, 0, 0, 0]);
    const ones = new Map(model.weights());
    ones.set("0.kernel", { dtype: "float32", shape: [2, 4], data: new Float32Array(8).fill(1) });
    model.loadWeights(ones);
    tf.tidy(() => model.forward(tf.tensor2d([1, 2, 3, 4], [2, 2]), { training: true }));
    // The rows reach the second layer as 3 and 7 everywhere; half of their mean moves in.
    expectClose(model.weights().get("1.moving_mean")!.data, [2.5, 2.5, 2.5, 2.5]);
    const after = model.weights();
    tf.tidy(() => model.forward(tf.tensor2d([5, 5], [1, 2]), { training: false }));
    expect(model.weights()).toEqual(after);
  });
});
