import * as tf from "@tensorflow/tfjs-core";
import "@tensorflow/tfjs-backend-cpu";
import { expect, test } from "vitest";
import { ArrayDataset, NO_LABEL, TextDataset } from "../../src/data/index.js";
import { batchTensors } from "../../src/trainers/batchTensors.js";

await tf.setBackend("cpu");

test("one label per row, or one per token as the batch says", () => {
  const images = new ArrayDataset({
    inputs: Float32Array.of(1, 2),
    inputShape: [1],
    labels: Int32Array.of(0, 1),
    classes: 2,
  });
  expect(batchTensors(images.batch([1, 0])).labels.shape).toEqual([2]);

  const row = (...ids: number[]) => ({
    ids: Int32Array.from(ids),
    mask: new Uint8Array(ids.length).fill(1),
    group: 0,
  });
  const text = new TextDataset({ rows: [row(1, 2, 3), row(4, 0)], maxLength: 2, vocabularySize: 5 });
  const { inputs, labels } = batchTensors(text.batch([0, 1]));
  expect([inputs.shape, inputs.dtype, labels.shape, labels.dtype]).toEqual([
    [2, 2],
    "float32",
    [2, 2],
    "int32",
  ]);
  expect([...inputs.dataSync()]).toEqual([1, 2, 4, 0]);
  expect([...labels.dataSync()]).toEqual([2, 3, 0, NO_LABEL]);
});
