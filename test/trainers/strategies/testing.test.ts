import { describe, expect, test } from "vitest";
import { ArrayDataset } from "../../../src/data/index.js";
import { AccuracyTesting, MseTesting } from "../../../src/trainers/strategies/kit.js";
import { expectTensors } from "../../support/cpuTensors.js";
import { modelOf } from "../trainerParts.js";

/** Three outputs per row; the identity model gives them as logits. */
const logits = new ArrayDataset({
  inputs: Float32Array.of(9, 1, 1, 1, 9, 1, 1, 1, 9, 5, 5, 1, -3, -2, -1),
  inputShape: [3],
  labels: Int32Array.of(0, 0, 2, 0, 2),
  classes: 3,
});
const targets = new ArrayDataset({
  inputs: Float32Array.of(1, 2, 4),
  inputShape: [1],
  labels: Float32Array.of(0, 2, 1),
  classes: 0,
});

describe("the default testing strategy", () => {
  const testing = new AccuracyTesting();
  const accuracy = (indices?: Int32Array, config = {}) =>
    testing.testModel(modelOf(), config, logits, indices);

  test("is called accuracy, and higher is better", () => {
    expect([testing.metricName, testing.higherIsBetter]).toEqual(["accuracy", true]);
  });

  test("counts rows whose largest output is at the label, the first of equals", async () => {
    // Row 1 is wrong; row 3 has two equal outputs of which the first is the label.
    expect(await accuracy()).toBe(4 / 5);
  });

  test.each([1, 2, 3, 5, 64])("is the same in batches of %d", async (batch_size) => {
    expect(await accuracy(undefined, { batch_size })).toBe(4 / 5);
  });

  test("uses only the rows it is given, also twice", async () => {
    expect(await accuracy(Int32Array.of(1, 1, 2))).toBe(1 / 3);
  });

  test("is 0 for no rows", async () => {
    expect(await accuracy(new Int32Array(0))).toBe(0);
  });

  test("leaves no tensors behind", () => expectTensors(0, () => accuracy(undefined, { batch_size: 2 })));

  test("asks the model as it is when it does not train", async () => {
    const seen: boolean[] = [];
    const { forward } = modelOf();
    const model = modelOf({
      forward: (inputs, options) => {
        seen.push(options.training);
        return forward(inputs, options);
      },
    });
    await testing.testModel(model, { batch_size: 3 }, logits, undefined);
    expect(seen).toEqual([false, false]);
  });
});

describe("testing by mean squared error", () => {
  const testing = new MseTesting();
  const error = (indices?: Int32Array) => testing.testModel(modelOf(), { batch_size: 2 }, targets, indices);

  test("is called mse, and lower is better", () => {
    expect([testing.metricName, testing.higherIsBetter]).toEqual(["mse", false]);
  });

  test("is the mean over all rows, not of the batches' means", async () => {
    expect(await error()).toBeCloseTo(10 / 3, 12);
    expect(await error(Int32Array.of(0))).toBe(1);
  });

  test("has no value for no rows", async () => {
    await expect(error(new Int32Array(0))).rejects.toMatchObject({ code: "DATA_INVALID" });
  });
});
