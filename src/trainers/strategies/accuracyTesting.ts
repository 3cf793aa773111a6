import type { TestingStrategy } from "../../algorithms/index.js";
import type { Dataset } from "../../data/index.js";
import type { Model } from "../../models/index.js";
import { testBatches } from "./testBatches.js";

/**
 * Share of the rows whose largest output (the first of equals) is at their label; of a single output, which is above 0
 * where the label is 1. 0 for no rows.
 */
export class AccuracyTesting implements TestingStrategy {
  readonly metricName = "accuracy";
  readonly higherIsBetter = true;

  async testModel(
    model: Model,
    config: Readonly<Record<string, unknown>>,
    testset: Dataset,
    indices: Int32Array | undefined,
  ): Promise<number> {
    let correct = 0;
    const rows = await testBatches({ model, config, testset, indices }, ({ labels }, outputs, classes) => {
      for (const [row, label] of labels.entries()) {
        if (decided(outputs.subarray(row * classes, (row + 1) * classes)) === label) correct++;
      }
    });
    return rows === 0 ? 0 : correct / rows;
  }
}

function decided(values: Float32Array): number {
  if (values.length === 1) return values[0]! > 0 ? 1 : 0;
  let best = 0;
  for (let index = 1; index < values.length; index++) if (values[index]! > values[best]!) best = index;
  return best;
}
