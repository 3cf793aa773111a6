import { type Accumulator, createAccumulator } from "../compute/kernels/index.js";
import type { LayoutEntry, Segment, WeightData } from "../weights/index.js";
import { inBlocks } from "./blocks.js";

/** The weighted mean of one array over clients, fed in segments. */
export interface ArrayMean {
  /** Adds `weight` times the segment's elements. */
  add(segment: Segment, weight: number): void;
  /** The sum divided by the sum of weights, in a new array. The event loop turns at least once for every MiB. */
  mean(totalWeight: number): Promise<WeightData>;
  dispose(): void;
}

/**
 * The mean of one array: float32 in float32 arithmetic, on the SIMD kernel; int32 and uint8 in double
 * precision, rounded to the nearest integer, halves to the even one.
 */
export function createArrayMean(array: LayoutEntry, accumulator = createAccumulator): ArrayMean {
  return array.dtype === "float32" ? floatMean(accumulator(array.length)) : integerMean(array);
}

function floatMean(sum: Accumulator): ArrayMean {
  return {
    add: ({ start, bytes }, weight) => sum.add(start, bytes, weight),
    async mean(totalWeight) {
      const mean = new Float32Array(sum.length);
      await inBlocks(sum.length, (from, to) => {
        sum.scaleInto(mean.subarray(from, to), 1, from);
        // Once a round, so exactness may cost: a factor 1 / total would be rounded before the quotient is.
        for (let index = from; index < to; index++) mean[index] = mean[index]! / totalWeight;
      });
      return mean;
    },
    dispose: () => sum.dispose(),
  };
}

function integerMean({ dtype, length }: LayoutEntry): ArrayMean {
  let sums = new Float64Array(length);
  return {
    add({ start, bytes }, weight) {
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      const count = dtype === "int32" ? bytes.length / 4 : bytes.length;
      for (let index = 0; index < count; index++) {
        const value = dtype === "int32" ? view.getInt32(index * 4, true) : bytes[index]!;
        sums[start + index]! += weight * value;
      }
    },
    async mean(totalWeight) {
      const means = dtype === "int32" ? new Int32Array(length) : new Uint8Array(length);
      await inBlocks(length, (from, to) => {
        for (let index = from; index < to; index++) means[index] = roundHalfEven(sums[index]! / totalWeight);
      });
      return means;
    },
    dispose() {
      sums = new Float64Array(0);
    },
  };
}

function roundHalfEven(value: number): number {
  const floor = Math.floor(value);
  const rest = value - floor;
  if (rest !== 0.5) return Math.round(value);
  return floor % 2 === 0 ? floor : floor + 1;
}
