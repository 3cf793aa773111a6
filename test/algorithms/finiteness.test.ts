import { describe, expect, it } from "vitest";
import { checkFinite } from "../../src/algorithms/index.js";
import { readLayout, readWeights, type Weights } from "../../src/weights/index.js";
import { floats, sourceOf } from "./updates.js";

const infected: Weights = new Map([
  ["steps", { dtype: "int32", shape: [1], data: Int32Array.of(0x7f800000) }],
  [
    "kernel",
    { dtype: "float32", shape: [2, 2], data: Float32Array.of(1, 2, Number.NaN, Number.POSITIVE_INFINITY) },
  ],
  ["mask", { dtype: "uint8", shape: [4], data: Uint8Array.of(0, 0, 0x80, 0x7f) }],
  ["bias", { dtype: "float32", shape: [2], data: Float32Array.of(Number.NEGATIVE_INFINITY, -4) }],
]);

async function check(weights: Weights, policy: "reject" | "zero", pieceBytes?: number) {
  const source = sourceOf(weights, pieceBytes);
  return { original: source, ...(await checkFinite(source, await readLayout(source), policy)) };
}

describe("updates that are not finite", () => {
  it("are refused, naming the array and the element", async () => {
    for (const pieceBytes of [undefined, 4, 5, 8]) {
      await expect(check(infected, "reject", pieceBytes)).rejects.toMatchObject({
        code: "WEIGHTS_INVALID",
        message: expect.stringMatching(/"kernel" holds NaN at element 2/),
        details: { name: "kernel", index: 2, refusal: "not_finite" },
      });
    }
  });

  it("name an infinity for what it is", async () => {
    await expect(check(floats(0, Number.NEGATIVE_INFINITY), "reject")).rejects.toThrow(
      /-Infinity at element 1/,
    );
  });

  it("get zeros in those places and nowhere else when asked to", async () => {
    for (const pieceBytes of [undefined, 1, 6, 100]) {
      const { source, finite, original } = await check(infected, "zero", pieceBytes);
      expect(finite).toBe(false);
      const weights = await readWeights(source);
      expect(weights.get("kernel")!.data).toEqual(Float32Array.of(1, 2, 0, 0));
      expect(weights.get("bias")!.data).toEqual(Float32Array.of(0, -4));
      expect(weights.get("steps")!.data).toEqual(Int32Array.of(0x7f800000));
      expect(weights.get("mask")!.data).toEqual(Uint8Array.of(0, 0, 0x80, 0x7f));
      // Once more: the source itself is as it was.
      expect((await readWeights(original)).get("kernel")!.data[2]).toBeNaN();
      await source.discard();
      expect(original.discarded).toBe(true);
    }
  });

  it("are the only ones that are changed", async () => {
    for (const policy of ["reject", "zero"] as const) {
      const { source, finite, original } = await check(floats(1, -0, 3.4e38), policy);
      expect(finite).toBe(true);
      expect(source).toBe(original);
    }
  });
});
