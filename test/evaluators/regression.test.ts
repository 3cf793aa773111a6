import { describe, expect, it } from "vitest";
import { silentLogger } from "../../src/base/index.js";
import type { Dataset } from "../../src/data/index.js";
import { evaluateRound, RegressionEvaluator, TrainingContext } from "../../src/evaluators/index.js";
import { regressionErrors, regressionMetrics } from "../../src/evaluators/regression/index.js";
import { datasetOf, outcomeOf, predicting } from "./suites/predictions.js";

describe("regressionMetrics", () => {
  const metricsOf = (predictions: number[], targets: number[]) =>
    regressionMetrics(regressionErrors(predictions, targets));

  it("works out a case by hand", () => {
    // Errors 1, -1, 0, 2: squares 6, absolutes 4. Targets have mean 3 and squared deviations 4 + 1 + 0 + 9 = 14... of
    // 1, 2, 3, 6.
    const { mse, rmse, mae, r2 } = metricsOf([2, 1, 3, 8], [1, 2, 3, 6]);
    expect(mse).toBe(1.5);
    expect(rmse).toBeCloseTo(1.224744871391589, 15);
    expect(mae).toBe(1);
    expect(r2).toBeCloseTo(1 - 6 / 14, 15);
  });

  it("gives 1 for perfect predictions, 0 for the mean and less for worse", () => {
    expect(metricsOf([1, 2, 3], [1, 2, 3])).toEqual({ mse: 0, rmse: 0, mae: 0, r2: 1 });
    expect(metricsOf([2, 2, 2], [1, 2, 3]).r2).toBe(0);
    expect(metricsOf([3, 2, 1], [1, 2, 3]).r2).toBe(-3);
  });

  it("leaves R2 out for constant targets and one row, and everything without rows", () => {
    expect(metricsOf([1, 2], [5, 5])).toEqual({ mse: 12.5, rmse: Math.sqrt(12.5), mae: 3.5 });
    expect(metricsOf([1], [1])).toEqual({ mse: 0, rmse: 0, mae: 0 });
    expect(metricsOf([], [])).toEqual({});
  });

  it("keeps its digits where the mean is large", () => {
    // Deviations of targets -1, 0, 1 around 1e9; errors of 0.5 each.
    expect(metricsOf([1e9 - 0.5, 1e9 + 0.5, 1e9 + 1.5], [1e9 - 1, 1e9, 1e9 + 1]).r2).toBe(1 - 0.75 / 2);
  });

  it("refuses lists of different lengths", () => {
    expect(() => regressionErrors([1], [1, 2])).toThrow("1 predictions for 2 targets");
  });
});

describe("the regression evaluator", () => {
  const testset = datasetOf(new Float32Array([1, 2, 3, 6]), 0);

  it("measures the test set, with exact sums", async () => {
    const outcome = await outcomeOf("regression", { testset, trainer: predicting([2, 1, 3, 8], 1) });
    expect(outcome).toMatchObject({
      status: "ok",
      primaryHigherIsBetter: false,
      result: {
        evaluator: "regression",
        primary_metric: "mse",
        metrics: { mse: 1.5, mae: 1 },
        higher_is_better: { mse: false, rmse: false, mae: false, r2: true },
        metadata: { rows: 4 },
      },
      sums: {
        mse: { numerator: 6, denominator: 4, transform: "identity" },
        mae: { numerator: 4, denominator: 4, transform: "identity" },
      },
    });
  });

  it("has no direction for a metric that does not exist", async () => {
    const constant = datasetOf(new Float32Array([2, 2]), 0);
    const outcome = await outcomeOf("regression", { testset: constant, trainer: predicting([1, 3], 1) });
    expect(outcome.result?.metrics).toEqual({ mse: 1, rmse: 1, mae: 1 });
    expect(outcome.result?.higher_is_better).not.toHaveProperty("r2");
  });

  it("fails on several values per row and on targets that are no numbers", async () => {
    const wide = await outcomeOf("regression", { testset, trainer: predicting([1, 2, 3, 4, 5, 6, 7, 8], 2) });
    expect(wide.error).toMatchObject({
      code: "DATA_INVALID",
      message: expect.stringContaining("2 values per row"),
    });
    const holes = datasetOf(new Float32Array([1, Number.NaN]), 0);
    const outcome = await outcomeOf("regression", { testset: holes, trainer: predicting([1, 2], 1) });
    expect(outcome.error?.message).toContain("targets that are not finite");
  });

  it("needs no configuration where it is an override", async () => {
    const evaluator = new RegressionEvaluator({ type: "mine" });
    for await (const { outcome } of evaluateRound({
      config: { evaluation: { type: "mine" } },
      context: new TrainingContext(),
      testset: testset as Dataset,
      trainer: predicting([1, 2, 3, 6], 1),
      evaluatorOverride: evaluator,
      logger: silentLogger,
    })) {
      expect(outcome).toMatchObject({
        status: "ok",
        primaryHigherIsBetter: false,
        result: { primary_value: 0 },
      });
    }
  });
});
