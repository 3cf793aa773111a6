import * as tf from "@tensorflow/tfjs-core";
import type { Batch } from "../data/index.js";

/** A batch as tensors: inputs [rows, ...inputShape]; labels [rows, ...labelShape], whole numbers as int32. */
export function batchTensors(batch: Batch): { inputs: tf.Tensor; labels: tf.Tensor } {
  const { inputs, inputShape, labels, labelShape = [] } = batch;
  return {
    inputs: tf.tensor(inputs, [batch.length, ...inputShape], "float32"),
    labels: tf.tensor(
      labels,
      [batch.length, ...labelShape],
      labels instanceof Int32Array ? "int32" : "float32",
    ),
  };
}
