import { instantiateKernel } from "./kernelModule.js";
import type { WasmMemory } from "./webAssembly.js";

/**
 * Exports of `tensor.wasm`. Addresses and steps are in bytes, counts and sizes in elements; arrays are
 * row-major float32 unless said otherwise. What each does is written where it is written.
 */
export interface TensorKernels {
  matMul(
    c: number,
    a: number,
    b: number,
    m: number,
    n: number,
    k: number,
    aRow: number,
    aStep: number,
    bStep: number,
    bColumn: number,
    scratch: number,
  ): void;
  matMulScratch(): number;
  placeImage(
    target: number,
    targetH: number,
    targetW: number,
    source: number,
    h: number,
    w: number,
    c: number,
    top: number,
    left: number,
    spreadH: number,
    spreadW: number,
  ): void;
  packFilter(panels: number, filter: number, patch: number, o: number): void;
  packTurnedFilter(panels: number, filter: number, places: number, c: number, o: number): void;
  convolveImage(
    out: number,
    outH: number,
    outW: number,
    o: number,
    image: number,
    w: number,
    c: number,
    panels: number,
    kh: number,
    kw: number,
    strideH: number,
    strideW: number,
    dilationH: number,
    dilationW: number,
    spare: number,
  ): void;
  filterGradientOfImage(
    gradient: number,
    kh: number,
    kw: number,
    c: number,
    o: number,
    image: number,
    w: number,
    dy: number,
    outH: number,
    outW: number,
    strideH: number,
    strideW: number,
    panel: number,
    spare: number,
    first: boolean,
  ): void;
  maxPoolGradient(
    dx: number,
    x: number,
    dy: number,
    n: number,
    h: number,
    w: number,
    c: number,
    outH: number,
    outW: number,
    filterH: number,
    filterW: number,
    strideH: number,
    strideW: number,
    top: number,
    left: number,
  ): void;
  sumMiddle(out: number, x: number, outer: number, reduced: number, inner: number): void;
  segmentSum(out: number, x: number, ids: number, rows: number, inner: number, segments: number): void;
  addBias(x: number, bias: number, rows: number, inner: number): void;
  clear(target: number, bytes: number): void;
}

/** The tensor kernels on a memory. @throws INTERNAL when they are not built or do not fit this Node */
export function tensorKernels(memory: WasmMemory): TensorKernels {
  return instantiateKernel<TensorKernels>("tensor", memory);
}
