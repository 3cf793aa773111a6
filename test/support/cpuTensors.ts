// TensorFlow.js on its own JavaScript back end, the oracle of the others; gradients come with the layers package.
import "@tensorflow/tfjs-backend-cpu";
import "@tensorflow/tfjs-layers";
import * as tf from "@tensorflow/tfjs-core";
import { expect } from "vitest";

tf.enableProdMode();
await tf.setBackend("cpu");

/** Runs `work` and demands that as many tensors are left as `more` says. */
export async function expectTensors(more: number, work: () => unknown): Promise<void> {
  const before = tf.memory().numTensors;
  await work();
  expect(tf.memory().numTensors).toBe(before + more);
}

/** Demands that numbers agree to 1e-6. */
export function expectClose(actual: ArrayLike<number>, expected: readonly number[]): void {
  expect(actual.length).toBe(expected.length);
  for (const [index, value] of expected.entries()) expect(actual[index]).toBeCloseTo(value, 6);
}

/** Demands that numbers agree to 1e-6 of what is expected, and to 1e-6 where that is below 1. */
export function expectNear(actual: ArrayLike<number>, expected: readonly number[]): void {
  expect(actual.length).toBe(expected.length);
  for (const [index, value] of expected.entries()) {
    expect(Math.abs(actual[index]! - value) / Math.max(1, Math.abs(value))).toBeLessThanOrEqual(1e-6);
  }
}
