import { z } from "zod";
import { ElenchusError } from "../../base/index.js";
import type { EvaluationInput } from "../evaluationInput.js";
import { EvaluationResult } from "../evaluationResult.js";
import { Evaluator } from "../evaluator.js";
import { testPredictions } from "../testPredictions.js";
import { regressionErrors, regressionMetrics } from "./errors.js";

/** Mean squared error, its root, mean absolute error and R2 of one predicted value per row. */
export class RegressionEvaluator extends Evaluator {
  static description = "MSE, RMSE, MAE and R2 on the test set";
  static primaryMetric = "mse";
  /** None of its own, so that a mistyped key is found. */
  static options = z.strictObject({});
  static metrics = {
    mse: { higherIsBetter: false, unit: "squared target units" },
    rmse: { higherIsBetter: false, unit: "target units" },
    mae: { higherIsBetter: false, unit: "target units" },
    r2: { higherIsBetter: true, unit: "fraction" },
  };

  /** @throws DATA_INVALID where the model gives more than one value per row, or a target is not finite */
  async evaluate(request: EvaluationInput): Promise<EvaluationResult> {
    const limit = Number(this.config.limit ?? -1);
    const { outputs, width, rows, labels, sampled } = await testPredictions(request, limit);
    if (width !== 1) {
      throw new ElenchusError("DATA_INVALID", `The model gives ${width} values per row: expected one.`);
    }
    const errors = regressionErrors(outputs, labels);
    if (!Number.isFinite(errors.spread)) {
      throw new ElenchusError("DATA_INVALID", "The test set has targets that are not finite numbers.");
    }
    for (const [place, doc] of rows.entries()) {
      const error = Math.abs(outputs[place]! - labels[place]!);
      await request.samples?.add("test", {
        doc,
        requests: [],
        answers: [outputs[place]],
        gold: labels[place],
        scores: { mse: error * error, mae: error },
      });
    }
    const metrics = regressionMetrics(errors);
    return new EvaluationResult({
      evaluator: "regression",
      primaryMetric: "mse",
      metrics,
      higherIsBetter: Object.fromEntries(Object.keys(metrics).map((name) => [name, name === "r2"])),
      metadata: { rows: errors.rows },
      sums: {
        mse: { numerator: errors.squared, denominator: errors.rows, transform: "identity" },
        mae: { numerator: errors.absolute, denominator: errors.rows, transform: "identity" },
      },
      sampled,
    });
  }
}
