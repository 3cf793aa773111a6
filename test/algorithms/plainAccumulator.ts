import type { Accumulator } from "../../src/compute/kernels/index.js";

/** What the kernel must compute, in plain TypeScript. */
export function plainAccumulator(length: number): Accumulator {
  const sums = new Float32Array(length);
  return {
    length,
    add(offset, values, weight) {
      const view = new DataView(values.buffer, values.byteOffset, values.byteLength);
      for (let index = 0; index < values.byteLength / 4; index++) {
        const product = Math.fround(view.getFloat32(index * 4, true) * weight);
        sums[offset + index] = sums[offset + index]! + product;
      }
    },
    scaleInto(target, factor, offset = 0) {
      const rounded = Math.fround(factor);
      for (let index = 0; index < target.length; index++) target[index] = sums[offset + index]! * rounded;
    },
    reset: () => sums.fill(0),
    dispose: () => {},
  };
}
