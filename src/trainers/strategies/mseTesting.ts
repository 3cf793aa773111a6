import type { TestingStrategy } from "../../algorithms/index.js";
import { ElenchusError } from "../../base/index.js";
import type { Dataset } from "../../data/index.js";
import type { Model } from "../../models/index.js";
import { testBatches } from "./testBatches.js";

/** Mean squared difference between output and label; lower is better. */
export class MseTesting implements TestingStrategy {
  readonly metricName = "mse";
  readonly higherIsBetter = false;

  /** @throws DATA_INVALID for no rows: 0 would be a perfect score */
  async testModel(
    model: Model,
    config: Readonly<Record<string, unknown>>,
    testset: Dataset,
    indices: Int32Array | undefined,
  ): Promise<number> {
    let squares = 0;
    const rows = await testBatches({ model, config, testset, indices }, ({ labels }, outputs) => {
      for (const [row, label] of labels.entries()) squares += (outputs[row]! - label) ** 2;
    });
    if (rows === 0) {
      throw new ElenchusError("DATA_INVALID", "The mean squared error needs test rows, but there are none.");
    }
    return squares / rows;
  }
}
