import { setImmediate } from "node:timers/promises";
import * as tf from "@tensorflow/tfjs-core";
import type { Batch, Dataset } from "../../data/index.js";
import type { Model } from "../../models/index.js";

const DEFAULT_BATCH_SIZE = 32;

/**
 * Runs the model over test rows and hands each batch with its outputs, row-major, to `visit`. Between two
 * batches the process answers whatever else is waiting, heart beats among it.
 * @param config the `[trainer]` table, for `batch_size`
 * @param indices rows to use; undefined: all
 * @returns the number of rows
 */
export async function testBatches(
  { model, config, testset, indices }: TestRequest,
  visit: (batch: Batch, outputs: Float32Array, width: number) => void,
): Promise<number> {
  const batchSize = typeof config.batch_size === "number" ? config.batch_size : DEFAULT_BATCH_SIZE;
  const rows = indices ?? Int32Array.from({ length: testset.length }, (_, row) => row);
  for (let start = 0; start < rows.length; start += batchSize) {
    if (start > 0) await setImmediate();
    const batch = testset.batch(rows.subarray(start, start + batchSize));
    const outputs = tf.tidy(() => {
      const inputs = tf.tensor(batch.inputs, [batch.length, ...batch.inputShape]);
      return model.forward(inputs, { training: false }).dataSync<"float32">();
    });
    visit(batch, outputs, outputs.length / batch.length);
  }
  return rows.length;
}

/** What is tested, and on what. */
export interface TestRequest {
  readonly model: Model;
  readonly config: Readonly<Record<string, unknown>>;
  readonly testset: Dataset;
  readonly indices: Int32Array | undefined;
}
