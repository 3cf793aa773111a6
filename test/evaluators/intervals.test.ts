import { describe, expect, it } from "vitest";
import { EvaluationResult } from "../../src/evaluators/index.js";
import { datasetOf, outcomeOf, predicting } from "./suites/predictions.js";

const Z = 1.959963984540054;
const made = (fields: object) =>
  new EvaluationResult({ evaluator: "e", primaryMetric: "acc", metrics: { acc: 0.5 }, ...fields });

describe("columns of intervals", () => {
  // Three of four right: sqrt(0.75 * 0.25 / 3) = 0.25.
  const outputs = [1, 0, 1, 0, 1, 0, 0, 1];
  const round = { trainer: predicting(outputs, 2), testset: datasetOf(Int32Array.of(0, 0, 0, 0), 2) };

  it("stand behind the details, 1.96 standard errors to either side", async () => {
    const { details } = await outcomeOf("classification", {
      ...round,
      options: { confidence: 0.95, top_k: 1 },
    });
    expect(Object.keys(details)).toEqual([
      ...["accuracy_ci_low", "accuracy_ci_high"],
      ...["top_k_accuracy_ci_low", "top_k_accuracy_ci_high"],
    ]);
    expect(details.accuracy_ci_low).toBeCloseTo(0.75 - Z * 0.25, 10);
    expect(details.accuracy_ci_high).toBeCloseTo(0.75 + Z * 0.25, 10);
  });

  it("are there on request only", async () => {
    expect((await outcomeOf("classification", round)).details).toEqual({});
  });

  it.each([0, 1, 95])("cannot be asked for with a confidence of %f", async (confidence) => {
    const { error } = await outcomeOf("classification", { ...round, options: { confidence } });
    expect(error).toMatchObject({
      code: "EVALUATION_CONFIG",
      message: expect.stringContaining("confidence"),
    });
  });
});

describe("standard errors of a result", () => {
  it("are of metrics or details, and no part of the payload", () => {
    const result = made({ details: { extra: 1 }, standardErrors: new Map([["extra", 0.5]]) });
    expect(result.standardErrors).toEqual({ extra: 0.5 });
    expect(Object.keys(result.toPayload())).not.toContain("standardErrors");
  });

  it.each([
    [{ other: 0.1 }, 'standardErrors has "other"'],
    [{ acc: -0.1 }, "expected 0 or more"],
    [{ acc: Number.NaN }, "expected a finite number"],
  ])("refuses %j", (standardErrors, message) => {
    expect(() => made({ standardErrors })).toThrow(message);
  });
});
