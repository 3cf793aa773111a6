import { setImmediate as nextTurn } from "node:timers/promises";
import * as tf from "@tensorflow/tfjs-core";
import type { Dataset } from "../data/index.js";
import type { Predictions } from "../evaluators/index.js";
import type { Model } from "../models/index.js";
import { throwIfAborted } from "./interruption.js";

/** Rows per forward pass. A constant, because sums in another order could differ in their last bit. */
const ROWS_AT_ONCE = 128;

/** Outputs of a model for rows of a data set, row-major. Gives the event loop a turn between batches. */
export async function predictRows(
  model: Model,
  dataset: Dataset,
  indices: Int32Array,
  signal?: AbortSignal,
): Promise<Predictions> {
  let outputs = new Float32Array(0);
  let width = 0;
  for (let start = 0; start < indices.length; start += ROWS_AT_ONCE) {
    throwIfAborted(signal);
    const batch = dataset.batch(indices.subarray(start, start + ROWS_AT_ONCE));
    const values = tf.tidy(() => {
      const inputs = tf.tensor(batch.inputs, [batch.length, ...batch.inputShape], "float32");
      return model.forward(inputs, { training: false }).dataSync<"float32">();
    });
    if (start === 0) {
      width = values.length / batch.length;
      outputs = new Float32Array(indices.length * width);
    }
    outputs.set(values, start * width);
    await nextTurn();
  }
  return { outputs, width };
}
