import { setImmediate } from "node:timers/promises";
import * as tf from "@tensorflow/tfjs-core";
import { ElenchusError } from "../../base/index.js";
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
  let tested = 0;
  for (const rows of testedRows(config, testset, indices)) {
    if (tested > 0) await setImmediate();
    const batch = testset.batch(rows);
    if (batch.labelShape !== undefined) throw severalLabels();
    const outputs = tf.tidy(() => {
      const inputs = tf.tensor(batch.inputs, [batch.length, ...batch.inputShape]);
      return model.forward(inputs, { training: false }).dataSync<"float32">();
    });
    visit(batch, outputs, outputs.length / batch.length);
    tested += batch.length;
  }
  return tested;
}

/** The rows of a test, batch by batch. */
export function* testedRows(
  config: Readonly<Record<string, unknown>>,
  testset: Dataset,
  indices: Int32Array | undefined,
): Generator<Int32Array> {
  const batchSize = typeof config.batch_size === "number" ? config.batch_size : DEFAULT_BATCH_SIZE;
  const rows = indices ?? Int32Array.from({ length: testset.length }, (_, row) => row);
  for (let start = 0; start < rows.length; start += batchSize) yield rows.subarray(start, start + batchSize);
}

function severalLabels(): ElenchusError {
  return new ElenchusError(
    "DATA_INVALID",
    'Each row of the test set has several labels, but this test compares one. Of text use trainer.type = "gpt" or "HuggingFace", which test by perplexity.',
  );
}

/** What is tested, and on what. */
export interface TestRequest {
  readonly model: Model;
  readonly config: Readonly<Record<string, unknown>>;
  readonly testset: Dataset;
  readonly indices: Int32Array | undefined;
}
