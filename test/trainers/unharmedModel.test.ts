import { expect, it } from "vitest";
import type { Model } from "../../src/models/index.js";
import { unharmedModel } from "../../src/trainers/unharmedModel.js";
import { type Weights, weightsDigest } from "../../src/weights/index.js";

const weights = (value: number): Weights =>
  new Map([["w", { dtype: "float32" as const, shape: [1], data: Float32Array.of(value) }]]);

/** A model of one weight, and how often its weights were copied. */
function modelOf(value: number) {
  let held = weights(value);
  const counted = {
    copies: 0,
    variables: new Map(),
    weights() {
      counted.copies += 1;
      return new Map(held);
    },
    loadWeights(given: Weights) {
      held = given;
    },
  };
  return counted;
}

it("hashes the weights that every evaluator finds, of the one copy that there is", async () => {
  const model = modelOf(1);
  const { anew, digest } = unharmedModel({
    current: async () => model as unknown as Model,
    renewed: async () => undefined,
  });
  expect(digest).toThrow(RangeError);
  await anew();
  model.loadWeights(weights(2));
  expect(digest()).toBe(weightsDigest(weights(1)));
  await anew();
  expect([digest(), model.copies]).toEqual([weightsDigest(weights(1)), 1]);
});
