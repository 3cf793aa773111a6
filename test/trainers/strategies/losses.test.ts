import * as tf from "@tensorflow/tfjs-core";
import { describe, expect, test } from "vitest";
import { losses } from "../../../src/trainers/strategies/index.js";
import { expectClose, expectTensors } from "../../support/cpuTensors.js";
import { contextOf } from "../trainerParts.js";

async function lossOf(name: string, parameters: Record<string, unknown> = {}) {
  const strategy = await losses.lookup(name)(parameters, { epochs: 1 });
  const compute = (outputs: tf.Tensor, labels: tf.Tensor) =>
    strategy.computeLoss(outputs, labels, contextOf());
  return {
    value: (outputs: tf.Tensor, labels: tf.Tensor) => compute(outputs, labels).dataSync(),
    gradient: (outputs: tf.Tensor, labels: tf.Tensor) =>
      tf
        .grad((given: tf.Tensor) => compute(given, labels))(outputs)
        .dataSync(),
  };
}
const labels = (...values: number[]) => tf.tensor1d(values, "int32");

describe("CrossEntropyLoss", () => {
  test("is the mean of -log softmax at the label", async () => {
    const { value } = await lossOf("CrossEntropyLoss");
    // Probabilities 1/2 each, and 3/4 and 1/4: (ln 2 - ln 0.25) / 2.
    const logits = tf.tensor2d([0, 0, Math.log(3), 0], [2, 2]);
    expectClose(value(logits, labels(0, 1)), [(Math.LN2 + 2 * Math.LN2) / 2]);
  });

  test("has the gradient (softmax - target) / rows, times what comes from above", async () => {
    const { gradient } = await lossOf("CrossEntropyLoss");
    const logits = tf.tensor2d([0, 0, Math.log(3), 0], [2, 2]);
    expectClose(gradient(logits, labels(0, 1)), [-0.25, 0.25, 0.375, -0.375]);
    const loss = await losses.lookup("CrossEntropyLoss")({}, { epochs: 1 });
    const tripled = tf.grad((given: tf.Tensor) =>
      tf.mul(loss.computeLoss(given, labels(0, 1), contextOf()), 3),
    );
    expectClose(tripled(logits).dataSync(), [-0.75, 0.75, 1.125, -1.125]);
  });

  test("stays finite where a probability underflows", async () => {
    const { value, gradient } = await lossOf("CrossEntropyLoss");
    const logits = tf.tensor2d([1000, 0], [1, 2]);
    expectClose(value(logits, labels(1)), [1000]);
    expectClose(gradient(logits, labels(1)), [1, -1]);
    expectClose(value(logits, labels(0)), [0]);
  });

  test("smooths labels: the target is 1 - e at the label and e/K everywhere", async () => {
    const { value, gradient } = await lossOf("CrossEntropyLoss", { label_smoothing: 0.2 });
    const logits = tf.tensor2d([Math.log(3), 0], [1, 2]);
    // Targets 0.9 and 0.1, probabilities 0.75 and 0.25.
    expectClose(value(logits, labels(0)), [-(0.9 * Math.log(0.75) + 0.1 * Math.log(0.25))]);
    expectClose(gradient(logits, labels(0)), [-0.15, 0.15]);
  });

  test("of tokens is the mean over those with a label", async () => {
    // Probabilities 3/4 and 1/4 everywhere; labels 0, none, 1, 1.
    const logits = tf.tensor3d(
      [0, 1, 2, 3].flatMap(() => [Math.log(3), 0]),
      [2, 2, 2],
    );
    const given = tf.tensor2d([0, -100, 1, 1], [2, 2], "int32");
    const { value, gradient } = await lossOf("CrossEntropyLoss");
    expectClose(value(logits, given), [(Math.log(4 / 3) + 2 * Math.log(4)) / 3]);
    const wrong = 0.75 / 3;
    const right = -0.25 / 3;
    expectClose(gradient(logits, given), [right, -right, 0, 0, wrong, -wrong, wrong, -wrong]);
    expectClose(value(logits, tf.fill([2, 2], -100, "int32")), [0]);
  });

  test("of tokens smooths labels like those of rows", async () => {
    const { value, gradient } = await lossOf("CrossEntropyLoss", { label_smoothing: 0.2 });
    const logits = tf.tensor3d([Math.log(3), 0, 5, 5], [1, 2, 2]);
    const given = tf.tensor2d([0, -100], [1, 2], "int32");
    expectClose(value(logits, given), [-(0.9 * Math.log(0.75) + 0.1 * Math.log(0.25))]);
    expectClose(gradient(logits, given), [-0.15, 0.15, 0, 0]);
  });

  test("leaves no tensors behind", async () => {
    const { value, gradient } = await lossOf("CrossEntropyLoss");
    const logits = tf.tensor2d([0, 0], [1, 2]);
    const targets = labels(0);
    await expectTensors(0, () => tf.tidy(() => [value(logits, targets), gradient(logits, targets)].length));
  });
});

describe("MSELoss", () => {
  test("is the mean of squared differences, one output per row", async () => {
    const { value, gradient } = await lossOf("MSELoss");
    const outputs = tf.tensor2d([1, 2, 4], [3, 1]);
    const targets = tf.tensor1d([0, 2, 1]);
    // (1 + 0 + 9) / 3; gradient 2 * difference / 3.
    expectClose(value(outputs, targets), [10 / 3]);
    expectClose(gradient(outputs, targets), [2 / 3, 0, 2]);
  });

  test("takes whole-number targets", async () => {
    const { value } = await lossOf("MSELoss");
    expectClose(value(tf.tensor2d([1.5], [1, 1]), labels(1)), [0.25]);
  });

  test("refuses outputs that are not one per target", async () => {
    const { value } = await lossOf("MSELoss");
    expect(() => value(tf.tensor2d([1, 2], [1, 2]), tf.tensor1d([1]))).toThrow();
  });
});
