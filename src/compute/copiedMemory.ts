import type { DataId, TensorInfo } from "@tensorflow/tfjs-core";
import { tensorKernels } from "./kernels/tensorKernels.js";
import { wasm } from "./kernels/webAssembly.js";
import { sizeOf, type TensorMemory } from "./tensorMemory.js";

/** The public part of a back end that this needs. */
interface ReadableBackend {
  readSync(id: DataId): ArrayBufferView;
  write(values: Float32Array, shape: number[], dtype: string): DataId;
}

const PAGE = 1 << 16;
const ALIGNMENT = 16;

/**
 * Own kernels on a memory of their own, tensors copied in and out through a back end's public interface: the
 * way to stay right when its heap cannot be shared. Slower by the copies.
 */
export function createCopiedMemory(backend: ReadableBackend): TensorMemory {
  const memory = new wasm.Memory({ initial: 1 });

  return {
    kernels: tensorKernels(memory),
    make(inputs, shape, scratchBytes, body) {
      const values = inputs.map((input) => bytesOf(backend.readSync(input.dataId)));
      const elements = sizeOf(shape);
      const [out = 0, scratch = 0, ...addresses] = layOut([
        elements * 4,
        scratchBytes,
        ...values.map((bytes) => bytes.length),
      ]);
      values.forEach((bytes, index) => {
        new Uint8Array(memory.buffer).set(bytes, addresses[index]);
      });
      body(out, scratch, ...addresses);
      const result = new Float32Array(memory.buffer, out, elements).slice();
      const info: TensorInfo = {
        dataId: backend.write(result, [...shape], "float32"),
        shape: [...shape],
        dtype: "float32",
      };
      return info;
    },
  };

  /** Addresses of blocks laid one behind the other; the memory grows to hold them. */
  function layOut(sizes: readonly number[]): number[] {
    let end = ALIGNMENT;
    const addresses = sizes.map((size) => {
      const address = end;
      end += Math.ceil(size / ALIGNMENT) * ALIGNMENT;
      return address;
    });
    const missing = end - memory.buffer.byteLength;
    if (missing > 0) memory.grow(Math.ceil(missing / PAGE));
    return addresses;
  }
}

function bytesOf(values: ArrayBufferView): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
}
