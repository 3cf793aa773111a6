import { beforeAll, expect, test } from "vitest";
import { silentLogger } from "../../src/base/index.js";
import { loadBackend, tf } from "../../src/compute/index.js";

const heapBytes = () =>
  (tf.backend() as unknown as { wasm: { HEAPU8: Uint8Array } }).wasm.HEAPU8.buffer.byteLength;

beforeAll(async () => {
  await loadBackend("wasm", { logger: silentLogger });
});

test("3,000 training steps leave neither a tensor nor heap behind", () => {
  const images = tf.randomNormal([8, 10, 10, 1], 0, 1, "float32", 1);
  const tokens = tf.tensor1d([0, 3, 3, 1, 2, 0, 3, 2], "int32");
  const labels = tf.oneHot(tokens, 4);
  const variables = [
    tf.variable(tf.randomNormal([3, 3, 1, 4], 0, 0.3, "float32", 2), true, "filter"),
    tf.variable(tf.randomNormal([100, 4], 0, 0.1, "float32", 3), true, "weights"),
    tf.variable(tf.zeros([4]), true, "bias"),
    tf.variable(tf.randomNormal([4, 4], 0, 0.1, "float32", 4), true, "embedding"),
  ] as const;
  const [filter, weights, bias, embedding] = variables;

  const forward = () => {
    const maps = tf.conv2d(images as tf.Tensor4D, filter as tf.Tensor as tf.Tensor4D, 1, "same");
    const pooled = tf.maxPool(tf.relu(maps), 2, 2, "valid");
    const flat = tf.reshape(pooled, [8, 100]) as tf.Tensor2D;
    const logits = tf.add(tf.matMul(flat, weights as tf.Tensor as tf.Tensor2D), bias);
    const shifted = tf.add(logits, tf.gather(embedding, tokens));
    return tf.losses.softmaxCrossEntropy(labels, shifted) as tf.Scalar;
  };
  const step = () =>
    tf.tidy(() => {
      const { value, grads } = tf.variableGrads(forward, [...variables]);
      for (const variable of variables) {
        variable.assign(tf.sub(variable, tf.mul(grads[variable.name]!, 0.05)));
      }
      return value.dataSync()[0]!;
    });

  let loss = 0;
  const first = step();
  for (let index = 0; index < 100; index += 1) step();
  const tensors = tf.memory().numTensors;
  const buffers = tf.memory().numDataBuffers;
  const heap = heapBytes();
  for (let index = 0; index < 3000; index += 1) loss = step();

  expect(loss).toBeLessThan(first / 10);
  expect(tf.memory().numTensors).toBe(tensors);
  expect(tf.memory().numDataBuffers).toBe(buffers);
  expect(heapBytes()).toBe(heap);
});
