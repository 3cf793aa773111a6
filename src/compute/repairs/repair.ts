import type { NamedTensorInfoMap, TensorInfo } from "@tensorflow/tfjs-core";
import type { TensorMemory } from "../tensorMemory.js";

/** Attributes of an operation; their types follow from its name. */
export type Attributes = Readonly<Record<string, unknown>>;

/** What a repaired kernel may use. */
export interface RepairTools {
  /** Own kernels and their way to the tensors. */
  readonly memory: TensorMemory;
  /** Runs the kernel now registered under a name. */
  call(kernelName: string, inputs: NamedTensorInfoMap, attributes?: Attributes): TensorInfo;
  /** Runs the kernel that the package came with. */
  stock(kernelName: string, inputs: NamedTensorInfoMap, attributes?: Attributes): TensorInfo;
  /** One more owner of the same data, in another shape: nothing is copied. */
  share(tensor: TensorInfo, shape?: readonly number[]): TensorInfo;
  /** Frees an intermediate result. */
  release(tensor: TensorInfo): void;
}

/** A kernel that replaces one of the package, or adds one it lacks. */
export interface Repair {
  readonly kernelName: string;
  run(inputs: Readonly<Record<string, TensorInfo>>, attributes: Attributes, tools: RepairTools): TensorInfo;
}
