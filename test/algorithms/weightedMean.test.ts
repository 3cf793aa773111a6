import { describe, expect, it } from "vitest";
import { createArrayMean } from "../../src/algorithms/weightedMean.js";
import { layoutFrom } from "../../src/weights/index.js";
import { plainAccumulator } from "./plainAccumulator.js";

const LENGTH = 20_011;
const array = layoutFrom([{ name: "w", dtype: "float32", shape: [LENGTH] }]).arrays[0]!;

describe("the mean of an array", () => {
  it("has the bits of plain float32 arithmetic, one rounding after the other", () => {
    const means = [createArrayMean(array), createArrayMean(array, plainAccumulator)].map((mean) => {
      for (const [client, weight] of [1, 0.37, 12.5].entries()) {
        const values = Float32Array.from({ length: LENGTH }, (_, index) => Math.tan(index * (client + 1)));
        // Two segments, the second at an odd address.
        const bytes = Buffer.alloc(values.byteLength + 1);
        bytes.set(new Uint8Array(values.buffer), 1);
        mean.add({ index: 0, array, start: 0, bytes: bytes.subarray(1, 4 * 777 + 1) }, Math.fround(weight));
        mean.add({ index: 0, array, start: 777, bytes: bytes.subarray(4 * 777 + 1) }, Math.fround(weight));
      }
      const result = Buffer.from(mean.mean(13.87).buffer as ArrayBuffer).toString("hex");
      mean.dispose();
      return result;
    });
    expect(means[0]).toBe(means[1]);
  });
});
