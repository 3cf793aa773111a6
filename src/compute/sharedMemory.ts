import type { DataId, TensorInfo } from "@tensorflow/tfjs-core";
import { tensorKernels } from "./kernels/tensorKernels.js";
import type { WasmMemory } from "./kernels/webAssembly.js";
import { type HeapMemory, sizeOf } from "./tensorMemory.js";

/** What own kernels use of the wasm back end beyond its public interface, as version 4.22.0 has it. */
interface PinnedBackend {
  readonly wasm: {
    readonly asm: { readonly memory: WasmMemory };
    readonly HEAPU8: Uint8Array;
    _malloc(bytes: number): number;
    _free(address: number): void;
  };
  readonly dataIdMap: { get(id: DataId): { readonly memoryOffset: number } };
  makeOutput(shape: number[], dtype: string): TensorInfo;
  write(values: Float32Array, shape: number[], dtype: string): DataId;
  disposeData(id: DataId): boolean;
}

const SCRATCH_STEP = 1 << 16;

/**
 * Own kernels on the heap of the wasm back end itself: nothing is copied.
 * @throws Error naming the first internal that is not as version 4.22.0 has it
 */
export function createSharedMemory(backend: unknown): HeapMemory {
  const pinned = requireInternals(backend);
  const kernels = tensorKernels(pinned.wasm.asm.memory);
  requireSameBytes(pinned);

  let scratch = 0;
  let scratchSize = 0;
  /** One block, kept between calls and replaced by a larger one when a kernel needs more. */
  const scratchOf = (bytes: number): number => {
    if (bytes <= scratchSize) return scratch;
    if (scratchSize > 0) pinned.wasm._free(scratch);
    scratchSize = Math.ceil(bytes / SCRATCH_STEP) * SCRATCH_STEP;
    scratch = pinned.wasm._malloc(scratchSize) >>> 0;
    if (scratch === 0) {
      scratchSize = 0;
      throw new RangeError(`The wasm heap has no ${bytes} bytes left to work in.`);
    }
    return scratch;
  };

  const addressOf = (tensor: TensorInfo) => pinned.dataIdMap.get(tensor.dataId).memoryOffset;

  const makeAll: HeapMemory["makeAll"] = (inputs, shapes, scratchBytes, body) => {
    const scratchAt = scratchOf(scratchBytes);
    const outs: TensorInfo[] = [];
    for (const shape of shapes) {
      const out = pinned.makeOutput([...shape], "float32");
      outs.push(out);
      if (addressOf(out) !== 0 || sizeOf(shape) === 0) continue;
      for (const made of outs) pinned.disposeData(made.dataId);
      throw new RangeError(`The wasm heap has no room left for a tensor of [${shape}].`);
    }
    body(outs.map(addressOf), scratchAt, inputs.map(addressOf));
    return outs;
  };

  return {
    kernels,
    makeAll,
    make: (inputs, shape, scratchBytes, body) =>
      makeAll(inputs, [shape], scratchBytes, ([out], scratchAt, addresses) =>
        body(out!, scratchAt, ...addresses),
      )[0]!,
  };
}

function requireInternals(backend: unknown): PinnedBackend {
  const found = backend as Partial<PinnedBackend> | null;
  const must = (holds: boolean, what: string) => {
    if (!holds) throw new Error(`${what} is not as version 4.22.0 has it`);
  };
  must(found?.wasm?.asm?.memory?.buffer instanceof ArrayBuffer, "backend.wasm.asm.memory");
  must(found?.wasm?.HEAPU8?.buffer === found?.wasm?.asm.memory.buffer, "backend.wasm.HEAPU8");
  must(typeof found?.wasm?._malloc === "function", "backend.wasm._malloc");
  must(typeof found?.wasm?._free === "function", "backend.wasm._free");
  must(typeof found?.dataIdMap?.get === "function", "backend.dataIdMap");
  must(typeof found?.makeOutput === "function", "backend.makeOutput");
  return found as PinnedBackend;
}

/** Writes through the back end and reads on the heap: the addresses must mean the same bytes. */
function requireSameBytes(pinned: PinnedBackend): void {
  const values = [1.5, -2, 3.25];
  const probe = pinned.write(Float32Array.from(values), [values.length], "float32");
  const { memoryOffset } = pinned.dataIdMap.get(probe);
  const usable = Number.isInteger(memoryOffset) && memoryOffset > 0 && memoryOffset % 4 === 0;
  const read = usable
    ? [...new Float32Array(pinned.wasm.asm.memory.buffer, memoryOffset, values.length)]
    : [];
  pinned.disposeData(probe);
  if (read.join() === values.join()) return;
  throw new Error("backend.dataIdMap.get().memoryOffset is not as version 4.22.0 has it");
}
