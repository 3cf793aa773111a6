import { describe, expect, it } from "vitest";
import { type ArrayMean, createArrayMean } from "../../src/algorithms/weightedMean.js";
import { layoutFrom } from "../../src/weights/index.js";
import { plainAccumulator } from "./plainAccumulator.js";

/** More than one block. */
const LENGTH = 2 ** 18 + 20_011;
const array = layoutFrom([{ name: "w", dtype: "float32", shape: [LENGTH] }]).arrays[0]!;

describe("the mean of an array", () => {
  it("has the bits of plain float32 arithmetic, one rounding after the other", async () => {
    const bitsOf = async (mean: ArrayMean) => {
      for (const [client, weight] of [1, 0.37, 12.5].entries()) {
        const values = Float32Array.from({ length: LENGTH }, (_, index) => Math.tan(index * (client + 1)));
        // Two segments, the second at an odd address.
        const bytes = Buffer.alloc(values.byteLength + 1);
        bytes.set(new Uint8Array(values.buffer), 1);
        mean.add({ index: 0, array, start: 0, bytes: bytes.subarray(1, 4 * 777 + 1) }, Math.fround(weight));
        mean.add({ index: 0, array, start: 777, bytes: bytes.subarray(4 * 777 + 1) }, Math.fround(weight));
      }
      const result = Buffer.from((await mean.mean(13.87)).buffer as ArrayBuffer).toString("hex");
      mean.dispose();
      return result;
    };
    expect(await bitsOf(createArrayMean(array))).toBe(await bitsOf(createArrayMean(array, plainAccumulator)));
  });

  it.each(["float32", "int32", "uint8"] as const)(
    "lets the event loop turn while it is made: %s",
    async (dtype) => {
      const [large] = layoutFrom([{ name: "w", dtype, shape: [3 * 2 ** 18 + 1] }]).arrays;
      const mean = createArrayMean(large!);
      let turns = 0;
      let next = setImmediate(function count() {
        turns++;
        next = setImmediate(count);
      });
      const { length } = await mean.mean(1);
      clearImmediate(next);
      expect(length).toBe(3 * 2 ** 18 + 1);
      expect(turns).toBeGreaterThanOrEqual(3);
    },
  );
});
