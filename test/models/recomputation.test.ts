import * as tf from "@tensorflow/tfjs-core";
import { describe, expect, test } from "vitest";
import { VariableCausalModel } from "../../src/models/kit.js";
import "../support/cpuTensors.js";
import { distance } from "./golden.js";
import { build, gpt, recomputationSuite, TOKENS, trained } from "./suites/recomputationSuite.js";

recomputationSuite();

describe("memory", () => {
  test("holds the tensors of one block instead of all", async () => {
    const model = await build("gpt", { n_layer: 8, n_head: 2, n_embd: 16, block_size: 64 });
    const tokens = Array.from({ length: 4 }, (_, row) =>
      Array.from({ length: 64 }, (_, at) => (at + row) % 10),
    );
    const peak = async (recompute: boolean) =>
      (
        await tf.profile(() => {
          trained(model, { recompute }, tokens);
          return [];
        })
      ).peakBytes - tf.memory().numBytes;
    const [kept, again] = [await peak(false), await peak(true)];
    expect(again).toBeLessThan(kept / 4);
    model.dispose();
  });

  test("is not saved where nothing is trained, or where a cache has to keep what is read", async () => {
    const model = await build("gpt", gpt);
    const tokens = tf.tensor2d(TOKENS, undefined, "int32");
    const cache = model.createCache(2, 8);
    const read = tf.tidy(() => [
      model.forwardTokens(tokens, { training: false, recompute: true }).dataSync(),
      model.forwardTokens(tokens, { training: false, recompute: true, cache }).dataSync(),
    ]);
    expect(distance(read[0]!, read[1]!)).toBe(0);
    expect([...cache.lengths]).toEqual([8, 8]);
    cache.dispose();
    model.dispose();
  });
});

test("a block that reads a variable it did not name is found out", () => {
  class Careless extends VariableCausalModel {
    readonly contextLength = 8;
    readonly vocabularySize = 10;
    protected override compute(tokens: tf.Tensor2D, pass: Parameters<VariableCausalModel["block"]>[0]) {
      const inputs = [this.embed(tokens, "table")] as const;
      return this.block(pass, { name: "layer", inputs, fixed: [] }, (_, [states]) =>
        tf.mul(tf.mul(states, this.variable("layer.weight")), this.variable("hidden")),
      );
    }
    override logits(states: tf.Tensor2D) {
      return states;
    }
  }
  const ones = (shape: number[]) => ({
    shape,
    values: new Float32Array(shape.reduce((a, b) => a * b)).fill(1),
  });
  const model = new Careless(
    "careless",
    new Map([
      ["table", ones([10, 10])],
      ["layer.weight", ones([10])],
      ["hidden", ones([10])],
    ]),
    {},
  );
  expect(() => trained(model, { recompute: true })).toThrow("reads the variable");
  expect(trained(model, { recompute: false }).gradients.size).toBe(3);
  model.dispose();
});
