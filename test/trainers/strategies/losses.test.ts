import * as tf from "@tensorflow/tfjs-core";
import { describe, expect, test } from "vitest";
import { testMetricOf } from "../../../src/config/index.js";
import { losses } from "../../../src/trainers/strategies/index.js";
import { expectClose, expectNear, expectTensors } from "../../support/cpuTensors.js";
import golden from "../goldens/pytorch.json" with { type: "json" };
import { contextOf, modelOf } from "../trainerParts.js";

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

describe("the golden losses of PyTorch", () => {
  test.each(golden.losses)(
    "$name with $options",
    async ({ name, options, outputs, labels: given, value, gradient }) => {
      const loss = await lossOf(name, options);
      const isClasses = typeof given[0] === "number";
      const targets = isClasses ? labels(...(given as number[])) : tf.tensor2d(given as number[][]);
      expectNear(loss.value(tf.tensor2d(outputs), targets), [value]);
      expectClose(loss.gradient(tf.tensor2d(outputs), targets), gradient);
      await expectTensors(0, () =>
        tf.tidy(() => {
          loss.value(tf.tensor2d(outputs), tf.clone(targets));
          loss.gradient(tf.tensor2d(outputs), tf.clone(targets));
        }),
      );
    },
  );
});

describe("BCEWithLogitsLoss", () => {
  test("makes of classes a yes at the class and a no elsewhere", async () => {
    const { value } = await lossOf("BCEWithLogitsLoss");
    // -log of 1/4 (a no at log 3) and of 1/2 (a yes at 0).
    expectClose(value(tf.tensor2d([[Math.log(3), 0]]), labels(1)), [(Math.log(4) + Math.LN2) / 2]);
  });

  test("pulls at a logit of exactly 0, where a chain of its parts would not", async () => {
    const { gradient } = await lossOf("BCEWithLogitsLoss");
    expectClose(gradient(tf.zeros([2, 1]), tf.tensor1d([1, 0])), [-0.25, 0.25]);
  });

  test("refuses labels that are neither marks nor classes", async () => {
    const { value } = await lossOf("BCEWithLogitsLoss");
    expect(() => value(tf.zeros([2, 3]), tf.zeros([2]))).toThrow(
      expect.objectContaining({
        code: "DATA_INVALID",
        message: expect.stringContaining("BCEWithLogitsLoss"),
      }),
    );
  });
});

describe("NLLLoss", () => {
  test("refuses outputs that are no log-probabilities", async () => {
    const { value } = await lossOf("NLLLoss");
    expect(() => value(tf.tensor2d([[2, 1]]), labels(0))).toThrow(
      expect.objectContaining({
        code: "CAPABILITY_MISSING",
        message: expect.stringContaining("CrossEntropyLoss"),
      }),
    );
  });

  test("refuses weights of another number of classes", async () => {
    const { value } = await lossOf("NLLLoss", { weight: [1, 1, 1] });
    const halves = tf.log(tf.tensor2d([[0.5, 0.5]]));
    expect(() => value(halves, labels(0))).toThrow(expect.objectContaining({ code: "CONFIG_INVALID" }));
  });
});

describe("CompositeLoss", () => {
  const composite = async (...terms: Record<string, unknown>[]) => lossOf("CompositeLoss", { losses: terms });

  test("is the sum of its terms, each times its weight, and so is its gradient", async () => {
    const outputs = tf.tensor2d([[3], [1]]);
    const targets = tf.tensor1d([1, 1]);
    const { value, gradient } = await composite(
      { type: "MSELoss", weight: 0.5 },
      { type: "MSELoss", weight: 2 },
    );
    // Mean square 2, gradient (3 - 1) * 2 / 2 = 2.
    expectClose(value(outputs, targets), [5]);
    expectClose(gradient(outputs, targets), [5, 0]);
  });

  test("takes L2 of all trained weights", async () => {
    const strategy = await losses.lookup("CompositeLoss")(
      { losses: [{ type: "MSELoss" }, { type: "L2Regularization", weight: 3, parameters: { weight: 0.1 } }] },
      { epochs: 1 },
    );
    const a = tf.variable(tf.tensor1d([1, -2]));
    const b = tf.variable(tf.scalar(3));
    const context = contextOf({
      model: modelOf({
        variables: new Map<string, tf.Variable>([
          ["a", a],
          ["b", b],
        ]),
      }),
    });
    const loss = () => strategy.computeLoss(tf.tensor2d([[1]]), tf.tensor1d([1]), context);
    // 0.3 * (1 + 4 + 9); slopes 0.6 w.
    expectClose(loss().dataSync(), [4.2]);
    const { grads } = tf.variableGrads(loss, [a as tf.Variable, b as tf.Variable]);
    expectClose(grads[a.name]!.dataSync(), [0.6, -1.2]);
    expectClose(grads[b.name]!.dataSync(), [1.8]);
  });

  test("hands parameters to its terms", async () => {
    const parameters = { label_smoothing: 0.2 };
    const { value } = await composite({ type: "CrossEntropyLoss", parameters });
    const logits = tf.tensor2d([Math.log(3), 0], [1, 2]);
    expectClose(value(logits, labels(0)), [-(0.9 * Math.log(0.75) + 0.1 * Math.log(0.25))]);
  });

  test.each([
    [[], /losses/],
    [[{ type: "MSLoss" }], /did you mean "MSELoss"\?/],
    [[{ type: "NLLLoss", parameters: { wait: [1] } }], /NLLLoss: .*wait/],
    [[{ type: "MSELoss", weigth: 1 }], /weigth/],
  ])("refuses the terms %j", async (terms, message) => {
    await expect(composite(...terms)).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message: expect.stringMatching(message),
    });
  });

  test("of no model has no L2", async () => {
    const { value } = await composite({ type: "L2Regularization" });
    expect(() => value(tf.zeros([1, 1]), tf.zeros([1]))).toThrow(
      expect.objectContaining({ code: "CAPABILITY_MISSING" }),
    );
  });
});

test("the test follows the first term of a sum", () => {
  expect(testMetricOf("CompositeLoss", { losses: [{ type: "MSELoss" }, { type: "L2Regularization" }] })).toBe(
    "mse",
  );
  expect(testMetricOf("CompositeLoss", { losses: [{ type: "CrossEntropyLoss" }] })).toBe("accuracy");
  expect(testMetricOf("CompositeLoss", { losses: "none" })).toBe("accuracy");
});
