import { ElenchusError } from "../../base/index.js";
import { ARRAY, aggregateKernel, STAGING, STAGING_BYTES } from "./aggregateKernel.js";
import { type FloatPieces, wholeElements } from "./floatPieces.js";

/** A running weighted sum of equally long float32 arrays that arrive in pieces. */
export interface Accumulator {
  readonly length: number;
  /**
   * Adds `weight * values` to the elements from `offset` on. Products and sums are rounded to float32 one
   * after the other, so the result depends on the order of updates and never on how they are cut up.
   * @throws WEIGHTS_INVALID when the piece does not lie within the array
   */
  add(offset: number, values: FloatPieces, weight: number): void;
  /**
   * Writes `factor * sum` of the elements from `offset` on into `target`, as many as it holds.
   * @throws WEIGHTS_INVALID when they do not lie within the array
   */
  scaleInto(target: Float32Array, factor: number, offset?: number): void;
  /** All elements zero again. */
  reset(): void;
  /** Lets go of the memory; the accumulator cannot be used any more. */
  dispose(): void;
}

/**
 * An accumulator of zeros, SIMD on a memory of its own: 4 bytes an element and 16 KiB to stage pieces in.
 * @param length number of elements
 * @throws RangeError when there is not enough memory (the limit is 4 GiB)
 */
export function createAccumulator(length: number): Accumulator {
  let kernel: ReturnType<typeof aggregateKernel> | undefined = aggregateKernel(length);

  const opened = () => {
    if (!kernel) throw new ElenchusError("INTERNAL", "The accumulator was disposed of and is used again.");
    return kernel;
  };

  return {
    length,
    add(offset, values, weight) {
      const { exports, staging } = opened();
      const bytes = wholeElements(values);
      requireWithin(offset, bytes.length / 4, length);
      for (let start = 0; start < bytes.length; start += STAGING_BYTES) {
        const piece = bytes.subarray(start, start + STAGING_BYTES);
        staging.set(piece);
        exports.weightedAdd(ARRAY + offset * 4 + start, STAGING, piece.length / 4, weight);
      }
    },
    scaleInto(target, factor, offset = 0) {
      const { exports, staging } = opened();
      requireWithin(offset, target.length, length);
      const bytes = wholeElements(target);
      for (let start = 0; start < bytes.length; start += STAGING_BYTES) {
        const size = Math.min(STAGING_BYTES, bytes.length - start);
        exports.scale(STAGING, ARRAY + offset * 4 + start, size / 4, factor);
        bytes.set(staging.subarray(0, size), start);
      }
    },
    reset() {
      opened().array.fill(0);
    },
    dispose() {
      kernel = undefined;
    },
  };
}

function requireWithin(offset: number, count: number, length: number): void {
  if (Number.isInteger(offset) && offset >= 0 && offset + count <= length) return;
  throw new ElenchusError(
    "WEIGHTS_INVALID",
    `A piece of ${count} elements at ${offset} does not lie within an array of ${length}.`,
  );
}
