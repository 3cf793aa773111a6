import type { TensorInfo } from "@tensorflow/tfjs-core";
import type { TensorKernels } from "./kernels/tensorKernels.js";

/** Where own kernels work on a back end's tensors. */
export interface TensorMemory {
  readonly kernels: TensorKernels;
  /**
   * Makes one tensor out of others.
   * @param inputs tensors that `body` reads
   * @param shape of the result
   * @param scratchBytes working space for `body`
   * @param body writes every element of the result: gets its address, that of the scratch, those of the inputs
   */
  make(
    inputs: readonly TensorInfo[],
    shape: readonly number[],
    scratchBytes: number,
    body: (out: number, scratch: number, ...inputs: number[]) => void,
  ): TensorInfo;
}

/** Own kernels on a back end's heap itself: they can make several tensors at once. */
export interface HeapMemory extends TensorMemory {
  /**
   * Makes tensors out of others.
   * @param shapes of the results
   * @param body writes every element of the results: gets their addresses, that of the scratch, those of the inputs
   */
  makeAll(
    inputs: readonly TensorInfo[],
    shapes: readonly (readonly number[])[],
    scratchBytes: number,
    body: (out: readonly number[], scratch: number, inputs: readonly number[]) => void,
  ): TensorInfo[];
}

/** Number of elements of a shape. */
export function sizeOf(shape: readonly number[]): number {
  return shape.reduce((product, extent) => product * extent, 1);
}
