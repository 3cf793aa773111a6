import type { TensorInfo } from "@tensorflow/tfjs-core";
import { tf } from "../tensorflow.js";
import type { HeapMemory } from "../tensorMemory.js";

/** An operation that the package does not have, done in one pass over the tensors where they lie. */
export interface FusedKernel {
  readonly kernelName: string;
  run(
    inputs: readonly TensorInfo[],
    attributes: Readonly<Record<string, unknown>>,
    memory: HeapMemory,
  ): TensorInfo | TensorInfo[];
}

/** Adds a kernel to a back end. */
export function installFusedKernel(
  backendName: string,
  { kernelName, run }: FusedKernel,
  memory: HeapMemory,
): void {
  tf.registerKernel({
    kernelName,
    backendName,
    kernelFunc: ({ inputs, attrs }) => run(inputs as unknown as TensorInfo[], attrs ?? {}, memory),
  });
}

/**
 * Whether the current back end has the kernel for these tensors. Where it has not, the operation is composed of the
 * package's own.
 */
export function isFused(kernelName: string, ...tensors: readonly (tf.Tensor | undefined)[]): boolean {
  if (tf.getKernel(kernelName, tf.getBackend()) === undefined) return false;
  return tensors.every((tensor) => tensor === undefined || tensor.dtype === "float32");
}

/**
 * Runs a kernel with its gradient.
 * @param inputs by place; those that are undefined are left out, so they must be the last ones
 * @returns its outputs
 */
export function runFused(
  kernelName: string,
  inputs: readonly (tf.Tensor | undefined)[],
  attributes: Readonly<Record<string, number | boolean>> = {},
): tf.Tensor[] {
  const present = inputs.filter((tensor) => tensor !== undefined);
  const result = tf.engine().runKernel(kernelName, present as unknown as tf.NamedTensorMap, attributes);
  return Array.isArray(result) ? result : [result];
}

/** Tells TensorFlow.js the gradients of a kernel: one function per input that can have one, by place. */
export function registerFusedGradient(
  kernelName: string,
  outputsToSave: readonly boolean[],
  gradients: (
    dy: tf.Tensor,
    saved: readonly tf.Tensor[],
    attributes: Readonly<Record<string, unknown>>,
  ) => readonly (() => tf.Tensor)[],
): void {
  tf.registerGradient({
    kernelName,
    saveAllInputs: true,
    outputsToSave: [...outputsToSave],
    // Of several outputs the first is the one that goes on.
    gradFunc: (dy, saved, attributes) =>
      Object.fromEntries(gradients(Array.isArray(dy) ? dy[0]! : dy, saved, attributes).entries()),
  });
}
