import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  classDetails,
  confusionMatrix,
  confusionMetrics,
  expectedCalibrationError,
  logitSums,
  matrixRows,
} from "../../src/evaluators/classification/index.js";
import { registry } from "../../src/evaluators/index.js";
import { datasetOf, outcomeOf, predicting } from "./suites/predictions.js";

const metricsOf = (truths: number[], predictions: number[], classes: number) =>
  confusionMetrics(confusionMatrix(truths, predictions, classes));

describe("confusionMetrics", () => {
  it("works out three classes by hand", () => {
    // Truth a a a b b c, predicted a a b b c c:
    //   a: 2 hits of 3, predicted 2; b: 1 of 2, predicted 2; c: 1 of 1, predicted 2.
    const metrics = metricsOf([0, 0, 0, 1, 1, 2], [0, 0, 1, 1, 2, 2], 3);
    expect(metrics.accuracy).toBeCloseTo(4 / 6, 15);
    expect(metrics.balanced_accuracy).toBeCloseTo((2 / 3 + 1 / 2 + 1) / 3, 15);
    expect(metrics.precision_macro).toBeCloseTo((1 + 1 / 2 + 1 / 2) / 3, 15);
    expect(metrics.recall_macro).toBeCloseTo((2 / 3 + 1 / 2 + 1) / 3, 15);
    // F1: 4/5, 2/4, 2/3.
    expect(metrics.f1_macro).toBeCloseTo((4 / 5 + 1 / 2 + 2 / 3) / 3, 15);
    expect(metrics.precision_weighted).toBeCloseTo((3 * 1 + 2 * 0.5 + 1 * 0.5) / 6, 15);
    expect(metrics.recall_weighted).toBeCloseTo(4 / 6, 15);
    expect(metrics.f1_weighted).toBeCloseTo((3 * 0.8 + 2 * 0.5 + 2 / 3) / 6, 15);
    // Chance agreement: (3 x 2 + 2 x 2 + 1 x 2) / 36 = 1/3, so kappa = (2/3 - 1/3) / (2/3).
    expect(metrics.cohens_kappa).toBeCloseTo(0.5, 15);
  });

  it("agrees with Cohen's kappa of a published table", () => {
    // Two readers, 50 grant proposals: both yes 20, yes/no 5, no/yes 10, both no 15; kappa 0.4.
    const truths = [...Array(25).fill(0), ...Array(25).fill(1)];
    const predictions = [
      ...Array(20).fill(0),
      ...Array(5).fill(1),
      ...Array(10).fill(0),
      ...Array(15).fill(1),
    ];
    expect(metricsOf(truths, predictions, 2).cohens_kappa).toBeCloseTo(0.4, 15);
  });

  it("counts a class that is only predicted in macro averages, and not in balanced accuracy", () => {
    // Truth 0 0 0 0, predicted 0 0 1 1, three classes: class 1 has no rows, class 2 does not occur.
    expect(metricsOf([0, 0, 0, 0], [0, 0, 1, 1], 3)).toEqual({
      accuracy: 0.5,
      balanced_accuracy: 0.5,
      precision_macro: 0.5,
      recall_macro: 0.25,
      f1_macro: (2 / 3 + 0) / 2,
      precision_weighted: 1,
      recall_weighted: 0.5,
      f1_weighted: 2 / 3,
      cohens_kappa: 0,
    });
  });

  it("counts a class that is never predicted as precision 0", () => {
    const metrics = metricsOf([0, 1], [0, 0], 2);
    expect(metrics.precision_macro).toBe(0.25);
    expect(metrics.precision_weighted).toBe(0.25);
  });

  it("has no kappa where everything is one class, and nothing without rows", () => {
    const metrics = metricsOf([1, 1, 1], [1, 1, 1], 3);
    expect(metrics).toMatchObject({ accuracy: 1, balanced_accuracy: 1, f1_macro: 1, f1_weighted: 1 });
    expect(metrics).not.toHaveProperty("cohens_kappa");
    expect(metricsOf([], [], 3)).toEqual({});
  });

  it("is never NaN, and within its bounds", () => {
    const pairs = fc.array(fc.tuple(fc.nat(4), fc.nat(4)), { minLength: 1, maxLength: 50 });
    fc.assert(
      fc.property(pairs, (rows) => {
        const metrics = metricsOf(
          rows.map(([truth]) => truth),
          rows.map(([, prediction]) => prediction),
          5,
        );
        for (const [name, value] of Object.entries(metrics)) {
          expect(value).toBeGreaterThanOrEqual(name === "cohens_kappa" ? -1 : 0);
          expect(value).toBeLessThanOrEqual(1 + 1e-12);
        }
        expect(metrics.recall_weighted).toBeCloseTo(metrics.accuracy!, 12);
      }),
    );
  });
});

describe("the columns of single classes", () => {
  it("leave out ratios of nothing", () => {
    expect(classDetails(confusionMatrix([0, 0, 1], [0, 2, 0], 4))).toEqual({
      class_0_precision: 0.5,
      class_0_recall: 0.5,
      class_0_f1: 0.5,
      class_0_support: 2,
      class_1_recall: 0,
      class_1_f1: 0,
      class_1_support: 1,
      class_2_precision: 0,
      class_2_f1: 0,
      class_2_support: 0,
      class_3_support: 0,
    });
  });

  it("come from a matrix with one row per true class", () => {
    expect(matrixRows(confusionMatrix([0, 0, 1], [0, 1, 0], 2))).toEqual([
      [1, 1],
      [1, 0],
    ]);
  });
});

describe("logitSums", () => {
  it("works out probabilities by hand", () => {
    // exp: (1, 3) / 4 and (4, 1) / 5.
    const logits = [0, Math.log(3), Math.log(4), 0];
    const sums = logitSums(logits, [1, 1], { classes: 2, k: 1 });
    expect([...sums.predictions]).toEqual([1, 0]);
    expect(sums.confidences[0]).toBeCloseTo(0.75, 15);
    expect(sums.confidences[1]).toBeCloseTo(0.8, 15);
    expect(sums.surprise).toBeCloseTo(-Math.log(0.75) - Math.log(0.2), 15);
    expect(sums.withinTop).toBe(1);
  });

  it("does not overflow and stays finite for a hopeless row", () => {
    const sums = logitSums([1e30, -1e30, 0], [1], { classes: 3, k: 2 });
    expect(sums.confidences[0]).toBe(1);
    expect(sums.surprise).toBe(2e30);
    expect(sums.withinTop).toBe(0);
  });

  it.each([
    [1, [1, 0, 0]],
    [2, [1, 1, 0]],
    [3, [1, 1, 1]],
    [9, [1, 1, 1]],
  ])("counts equal logits in class order for the top %d", (k, within) => {
    for (const [label, expected] of within.entries()) {
      expect(logitSums([5, 5, 5], [label], { classes: 3, k }).withinTop).toBe(expected);
    }
  });

  it("has the top 1 and the prediction agree, ties or not", () => {
    const row = fc.tuple(
      fc.array(fc.integer({ min: -2, max: 2 }), { minLength: 4, maxLength: 4 }),
      fc.nat(3),
    );
    fc.assert(
      fc.property(row, ([logits, label]) => {
        const { predictions, withinTop } = logitSums(logits, [label], { classes: 4, k: 1 });
        expect(withinTop).toBe(predictions[0] === label ? 1 : 0);
        expect(predictions[0]).toBe(logits.indexOf(Math.max(...logits)));
      }),
    );
  });

  it("is all certainty where there is one class", () => {
    expect(logitSums([-3], [0], { classes: 1, k: 1 })).toMatchObject({ rows: 1, surprise: 0, withinTop: 1 });
  });
});

describe("expectedCalibrationError", () => {
  it("works out two bins by hand", () => {
    // Bin (0, 0.5]: one row at 0.5, wrong: gap 0.5. Bin (0.5, 1]: 0.75 right, 1 wrong, 0.95 right: accuracy 2/3,
    // confidence 0.9. ECE = 1/4 x 0.5 + 3/4 x |2/3 - 0.9|.
    expect(expectedCalibrationError([0.5, 0.75, 1, 0.95], [0, 1, 0, 1], 2)).toBeCloseTo(
      0.25 * 0.5 + 0.75 * Math.abs(2 / 3 - 0.9),
      15,
    );
  });

  it("puts a confidence on a border into the lower bin", () => {
    // Of 4 bins, 0.5 belongs to (0.25, 0.5] and 0.51 to (0.5, 0.75]: apart, the gaps cannot cancel.
    expect(expectedCalibrationError([0.5, 0.51], [1, 0], 4)).toBeCloseTo((0.5 + 0.51) / 2, 15);
    expect(expectedCalibrationError([0.5, 0.51], [1, 0], 1)).toBeCloseTo(0.01 / 2, 15);
  });

  it("is 0 for perfect calibration and absent without rows", () => {
    expect(expectedCalibrationError([1, 1], [1, 1], 15)).toBe(0);
    expect(expectedCalibrationError([], [], 15)).toBeUndefined();
  });
});

describe("the classification evaluator", () => {
  const testset = datasetOf(new Int32Array([0, 1, 1, 2]), 3);
  // Predicted 0, 1, 0, 2.
  const logits = [2, 0, 0, 0, 2, 0, 2, 1, 0, 0, 0, 2];

  it("measures the test set", async () => {
    const outcome = await outcomeOf("classification", {
      testset,
      trainer: predicting(logits, 3),
      options: { top_k: 2 },
    });
    expect(outcome).toMatchObject({ status: "ok", primaryHigherIsBetter: true, details: {} });
    expect(outcome.sampled).toEqual({ used: 4, total: 4 });
    const { metrics, metadata, artifacts, higher_is_better } = outcome.result!;
    expect(metrics).toMatchObject({ accuracy: 0.75, top_k_accuracy: 1 });
    const sum = Math.exp(2) + 2;
    const surprise = 3 * (Math.log(sum) - 2) + Math.log(Math.exp(2) + Math.E + 1) - 1;
    expect(metrics.log_loss).toBeCloseTo(surprise / 4, 6);
    expect(Object.keys(metrics).sort()).toEqual(
      Object.keys(registry.declarations("classification").metrics!).sort(),
    );
    expect(higher_is_better).toMatchObject({
      accuracy: true,
      log_loss: false,
      expected_calibration_error: false,
    });
    expect(metadata).toEqual({ rows: 4, classes: 3, top_k: 2, bins: 15 });
    expect(artifacts.confusion_matrix).toMatchObject({
      counts: [
        [1, 0, 0],
        [1, 1, 0],
        [0, 0, 1],
      ],
    });
    expect(outcome.sums.accuracy).toEqual({ numerator: 3, denominator: 4, transform: "identity" });
    expect(outcome.sums.top_k_accuracy).toEqual({ numerator: 4, denominator: 4, transform: "identity" });
    expect(outcome.sums.log_loss!.numerator / 4).toBe(metrics.log_loss);
  });

  it("gives columns of single classes on request, and the metric that is asked for as the primary one", async () => {
    const outcome = await outcomeOf("classification", {
      testset,
      trainer: predicting(logits, 3),
      options: { per_class: true, primary_metric: "log_loss" },
    });
    expect(outcome.details).toMatchObject({ class_1_recall: 0.5, class_1_support: 2 });
    expect(outcome.result?.primary_metric).toBe("log_loss");
    expect(outcome.primaryHigherIsBetter).toBe(false);
  });

  it("uses the sampler's rows, and of a limit the same ones in every round", async () => {
    const trainer = predicting(logits, 3);
    await outcomeOf("classification", { testset, trainer, sampler: new Int32Array([3, 0]) });
    expect(trainer.asked).toEqual([[3, 0]]);

    const many = datasetOf(new Int32Array(100), 1);
    const limited = predicting(Array(100).fill(0), 1);
    for (let round = 0; round < 2; round++) {
      const outcome = await outcomeOf("classification", {
        testset: many,
        trainer: limited,
        options: { limit: 10 },
      });
      expect(outcome).toMatchObject({ status: "partial", sampled: { used: 10, total: 100 } });
    }
    const [first, second] = limited.asked;
    expect(first).toEqual(second);
    expect(new Set(first).size).toBe(10);
    expect(first).toEqual([...first!].sort((a, b) => a - b));
    expect(first).not.toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it("is skipped where the test set has no rows", async () => {
    const outcome = await outcomeOf("classification", {
      testset: datasetOf(new Int32Array(0), 3),
      trainer: predicting([], 3),
    });
    expect(outcome).toMatchObject({ status: "skipped", reason: "the test set has no rows", error: null });
  });

  const trainer = predicting(logits, 3);
  it.each<[string, object, string, string]>([
    [
      "a trainer that cannot predict",
      { trainer: {} },
      "CAPABILITY_MISSING",
      "predict(dataset, indices, signal)",
    ],
    ["no trainer", { trainer: undefined }, "CAPABILITY_MISSING", "predict"],
    ["no test set", { testset: undefined }, "CAPABILITY_MISSING", "test set is undefined"],
    ["a test set of another kind", { testset: ["a", "b"] }, "CAPABILITY_MISSING", "test set is an array"],
    ["a sampler of another kind", { sampler: [1] }, "CAPABILITY_MISSING", "sampler is an array"],
    [
      "a label that is no class",
      { testset: datasetOf(new Int32Array([0, 1, 1, 3]), 3) },
      "DATA_INVALID",
      "label 3",
    ],
    [
      "a label between classes",
      { testset: datasetOf(new Float32Array([0.5, 1]), 3) },
      "DATA_INVALID",
      "label 0.5",
    ],
    [
      "outputs that do not fit",
      { trainer: predicting([1, 2], 3) },
      "DATA_INVALID",
      "2 values of width 3 for 4 rows",
    ],
    ["outputs of no width", { trainer: predicting([], 0) }, "DATA_INVALID", "width 0"],
    [
      "outputs that diverged",
      { trainer: predicting([2, 0, 0, Number.NaN, 2, 0, 2, 1, 0, 0, 0, 2], 3) },
      "DATA_INVALID",
      "output for test row 1 is NaN",
    ],
    ["options it does not understand", { options: { bins: 0 } }, "EVALUATION_CONFIG", "bins"],
  ])("fails on %s", async (_, change, code, message) => {
    const outcome = await outcomeOf("classification", { testset, trainer, ...change });
    expect(outcome.status).toBe("failed");
    expect(outcome.error?.code).toBe(code);
    expect(outcome.error?.message).toContain(message);
  });
});
