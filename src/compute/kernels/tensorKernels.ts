import { instantiateKernel, isUnderstood } from "./kernelModule.js";
import type { WasmMemory } from "./webAssembly.js";

/**
 * Exports of `tensor.wasm`. Addresses and steps are in bytes, counts and sizes in elements; arrays are
 * row-major float32 unless said otherwise. What each does is written where it is written.
 */
export interface TensorKernels {
  matMul(
    c: number,
    cStep: number,
    a: number,
    b: number,
    m: number,
    n: number,
    k: number,
    aRow: number,
    aStep: number,
    bStep: number,
    bColumn: number,
    accumulate: boolean,
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
  gatherRows(out: number, table: number, ids: number, count: number, inner: number): void;
  clear(target: number, bytes: number): void;
  normalise(
    out: number,
    x: number,
    weight: number,
    bias: number,
    rows: number,
    width: number,
    epsilon: number,
    centred: boolean,
  ): void;
  normaliseGradient(
    dx: number,
    dWeight: number,
    dBias: number,
    x: number,
    weight: number,
    dy: number,
    rows: number,
    width: number,
    epsilon: number,
    centred: boolean,
  ): void;
  activate(
    out: number,
    x: number,
    up: number,
    count: number,
    kind: number,
    linear: number,
    cubic: number,
  ): void;
  activateGradient(
    dx: number,
    dUp: number,
    x: number,
    up: number,
    dy: number,
    count: number,
    kind: number,
    linear: number,
    cubic: number,
  ): void;
  attentionScratch(slots: number): number;
  attend(out: number, outRow: number, sums: number, ...rest: AttentionArguments): void;
  attendGradient(
    dQ: number,
    dK: number,
    dV: number,
    dOut: number,
    outRow: number,
    sums: number,
    ...rest: AttentionArguments
  ): void;
  rotate(
    out: number,
    x: number,
    cos: number,
    sin: number,
    tokens: number,
    angles: number,
    heads: number,
    half: number,
    sign: number,
  ): void;
  crossEntropy(
    loss: number,
    sums: number,
    logits: number,
    labels: number,
    rows: number,
    vocabulary: number,
  ): void;
  crossEntropyGradient(
    dLogits: number,
    logits: number,
    labels: number,
    sums: number,
    dLoss: number,
    rows: number,
    vocabulary: number,
  ): void;
  adam(
    newWeight: number,
    newMean: number,
    newSquare: number,
    weight: number,
    mean: number,
    square: number,
    gradient: number,
    count: number,
    beta1: number,
    beta2: number,
    fresh1: number,
    fresh2: number,
    rate: number,
    epsilon: number,
    decay: number,
    keep: number,
  ): void;
}

/** What both directions of attention read. */
export type AttentionArguments = [
  q: number,
  qRow: number,
  k: number,
  kRow: number,
  v: number,
  vRow: number,
  queryPlaces: number,
  queryRows: number,
  keyPlaces: number,
  keyRows: number,
  batch: number,
  heads: number,
  keyHeads: number,
  length: number,
  slots: number,
  size: number,
  scale: number,
  window: number,
  scratch: number,
];

/**
 * How kernels multiply and add: in one step that rounds once (relaxed SIMD, Node 21 and later, or Node 20 with
 * --experimental-wasm-relaxed-simd), or in two. Results differ in their last bits between the two.
 */
export type Arithmetic = "one-step" | "two-step";

/** The best arithmetic that this Node understands. @throws INTERNAL when kernels are not built */
export function bestArithmetic(): Arithmetic {
  return isUnderstood(MODULES["one-step"]) ? "one-step" : "two-step";
}

/** The tensor kernels on a memory. @throws INTERNAL when they are not built or do not fit this Node */
export function tensorKernels(memory: WasmMemory, arithmetic = bestArithmetic()): TensorKernels {
  return instantiateKernel<TensorKernels>(MODULES[arithmetic], memory);
}

const MODULES = { "one-step": "tensor.relaxed", "two-step": "tensor" } as const;
