import { setImmediate as nextTurn } from "node:timers/promises";
import * as tf from "@tensorflow/tfjs-core";
import { ElenchusError } from "../base/index.js";
import type { Dataset } from "../data/index.js";
import type { Predictions } from "../evaluators/index.js";
import type { Model } from "../models/index.js";
import { throwIfAborted } from "./interruption.js";

/** Rows per forward pass. A constant, because sums in another order could differ in their last bit. */
const ROWS_AT_ONCE = 128;

/**
 * Outputs of a model for rows of a data set, row-major. Gives the event loop a turn between batches.
 * @throws CAPABILITY_MISSING for rows of several labels, such as tokens: no one output is the row's
 */
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
    if (batch.labelShape !== undefined) throw rowsOfTokens(model);
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

function rowsOfTokens(model: Model): ElenchusError {
  return new ElenchusError(
    "CAPABILITY_MISSING",
    `${model.name} has an output for every token and none for a whole row, so there is nothing to compare with one label. Use an evaluator of language models.`,
  );
}
