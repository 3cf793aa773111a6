import * as tf from "@tensorflow/tfjs-core";
import { describe, expect, test } from "vitest";
import type { Model } from "../../../src/models/index.js";
import type { WeightArray } from "../../../src/weights/index.js";
import { expectTensors } from "../../support/cpuTensors.js";

/** What every model must keep to. `make` builds it anew, `inputShape` is one input's, `outputRank` all outputs'. */
export function modelSuite(
  name: string,
  make: () => Promise<Model>,
  inputShape: readonly number[],
  outputRank = 2,
): void {
  const inputs = () => tf.randomUniform([3, ...inputShape], 0, 1, "float32", 7);

  describe(`the model ${name}`, () => {
    test("gives one row of outputs per row of inputs", async () => {
      const model = await make();
      const outputs = model.forward(inputs(), { training: false });
      expect(outputs.rank).toBe(outputRank);
      expect(outputs.shape[0]).toBe(3);
    });

    test("computes the same with weights that went out and back in", async () => {
      const [model, other] = [await make(), await make()];
      const changed = new Map(
        [...model.weights()].map(([weight, array]) => [
          weight,
          { ...array, data: array.data.map((x) => x * 0.9) },
        ]),
      );
      other.loadWeights(changed);
      model.loadWeights(other.weights());
      expect(model.weights()).toEqual(changed);
      const given = inputs();
      const outputs = [model, other].map((one) => one.forward(given, { training: false }).dataSync());
      expect(outputs[0]).toEqual(outputs[1]);
    });

    test("hands out and takes in copies", async () => {
      const model = await make();
      // A copy of its own: weights that are handed out could be the model's.
      const before = structuredClone(model.weights());
      for (const { data } of model.weights().values()) data.fill(5);
      expect(model.weights()).toEqual(before);
      const given = new Map(
        [...before].map(([weight, array]) => [weight, { ...array, data: array.data.slice() }]),
      );
      model.loadWeights(given);
      for (const { data } of given.values()) data.fill(5);
      expect(model.weights()).toEqual(before);
    });

    test("names its trainable weights as its weights, in the same order", async () => {
      const model = await make();
      const names = [...model.weights().keys()];
      const trainable = [...model.variables.keys()];
      expect(names.filter((weight) => model.variables.has(weight))).toEqual(trainable);
      expect([...(await make()).weights().keys()]).toEqual(names);
    });

    test("has a gradient for every trainable weight", async () => {
      const model = await make();
      const { grads } = tf.variableGrads(
        () => tf.mean(tf.square(model.forward(inputs(), { training: true }))) as tf.Scalar,
        [...model.variables.values()],
      );
      for (const variable of model.variables.values())
        expect(grads[variable.name]!.shape).toEqual(variable.shape);
    });

    test("leaves no tensors behind but the outputs it is asked for", async () => {
      await expectTensors(0, async () => {
        const model = await make();
        const given = inputs();
        await expectTensors(0, () => model.loadWeights(model.weights()));
        for (const training of [true, false]) {
          await expectTensors(0, () => model.forward(given, { training }).dispose());
        }
        given.dispose();
        model.dispose();
      });
    });

    test.each<[string, (weights: Map<string, WeightArray>, first: string) => void, RegExp]>([
      ["a missing one", (weights, first) => weights.delete(first), /is missing/],
      [
        "one it does not know",
        (weights) => weights.set("__proto__", { dtype: "float32", shape: [1], data: Float32Array.of(1) }),
        /__proto__ is unknown/,
      ],
      [
        "another shape",
        (weights, first) => weights.set(first, { ...weights.get(first)!, shape: [1, 2, 3] }),
        /is \[1, 2, 3\] of \d+ numbers, expected/,
      ],
      [
        "too few numbers",
        (weights, first) => weights.set(first, { ...weights.get(first)!, data: new Float32Array(1) }),
        /of 1 numbers, expected/,
      ],
      [
        "another type",
        (weights, first) => weights.set(first, { ...weights.get(first)!, dtype: "int32" }),
        /is int32, expected float32/,
      ],
    ])("refuses weights with %s and keeps its own", async (_, spoil, message) => {
      const model = await make();
      const before = model.weights();
      const weights = new Map(
        [...before].map(([weight, array]) => [weight, { ...array, data: array.data.map(() => 3) }]),
      );
      spoil(weights, [...weights.keys()][0]!);
      expect(() => model.loadWeights(weights)).toThrow(
        expect.objectContaining({ code: "WEIGHTS_INVALID", message: expect.stringMatching(message) }),
      );
      expect(model.weights()).toEqual(before);
    });
  });
}
