import { instantiateKernel } from "./kernelModule.js";
import { wasm } from "./webAssembly.js";

/** Exports of `aggregate.wasm`; addresses in bytes, multiples of four, counts in elements. */
interface AggregateExports {
  weightedAdd(target: number, source: number, count: number, weight: number): void;
  scale(target: number, source: number, count: number, factor: number): void;
  firstNonFinite(values: number, count: number): number;
  zeroNonFinite(values: number, count: number): number;
}

/** The aggregation kernel on a memory of its own: a staging block, and behind it room for one array. */
export interface AggregateKernel {
  readonly exports: AggregateExports;
  /** The block that pieces are copied into, `STAGING_BYTES` long, at address `STAGING`. */
  readonly staging: Uint8Array;
  /** The array behind it, at address `ARRAY`. */
  readonly array: Float32Array;
}

/** Address of the staging block. 16 KiB stay in the first-level cache: an update then costs about 1.5 plain copies, with 64 KiB 1.6. */
export const STAGING = 0;
export const STAGING_BYTES = 1 << 14;
/** Address of the array. */
export const ARRAY = STAGING_BYTES;

const PAGE = 1 << 16;

/**
 * @param length elements of the array behind the staging block
 * @throws RangeError when that much memory is not to be had (4 GiB is the limit of 32-bit WebAssembly)
 */
export function aggregateKernel(length: number): AggregateKernel {
  const memory = new wasm.Memory({ initial: Math.ceil((ARRAY + length * 4) / PAGE) });
  return {
    exports: instantiateKernel<AggregateExports>("aggregate", memory),
    staging: new Uint8Array(memory.buffer, STAGING, STAGING_BYTES),
    array: new Float32Array(memory.buffer, ARRAY, length),
  };
}
