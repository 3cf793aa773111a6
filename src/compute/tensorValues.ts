import type { WasmMemory } from "./kernels/webAssembly.js";
import { tf } from "./tensorflow.js";

/** What is used of the wasm back end beyond its public interface, as version 4.22.0 has it. */
interface HeapBackend {
  readonly wasm: { readonly asm: { readonly memory: WasmMemory } };
  readonly dataIdMap: {
    has(id: tf.DataId): boolean;
    get(id: tf.DataId): { readonly memoryOffset: number };
  };
}

/**
 * The numbers of a float32 tensor, where they lie if the back end allows it: without a copy on `wasm` and `cpu`.
 * They are to be read only, and only until TensorFlow.js computes again, which may move or free them.
 */
export function tensorValues(tensor: tf.Tensor): Float32Array {
  const backend: unknown = tf.backend();
  if (
    tf.getBackend() === "wasm" &&
    !tensor.isDisposed &&
    hasHeap(backend) &&
    backend.dataIdMap.has(tensor.dataId)
  ) {
    const { memoryOffset } = backend.dataIdMap.get(tensor.dataId);
    const { buffer } = backend.wasm.asm.memory;
    // Absent in another version than the pinned one.
    if (memoryOffset > 0) return new Float32Array(buffer, memoryOffset, tensor.size);
  }
  return tensor.dataSync<"float32">();
}

function hasHeap(backend: unknown): backend is HeapBackend {
  const { wasm, dataIdMap } = backend as Partial<HeapBackend>;
  return wasm?.asm?.memory?.buffer instanceof ArrayBuffer && typeof dataIdMap?.has === "function";
}
