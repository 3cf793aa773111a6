import { describe, expect, test } from "vitest";
import { createAccumulator, firstNonFinite, zeroNonFinite } from "../../src/compute/kernels/index.js";

const BLOCK = 1 << 12; // elements of one staging block

describe("the accumulator", () => {
  test("adds weighted arrays and scales their sum", () => {
    const accumulator = createAccumulator(3);
    accumulator.add(0, Float32Array.of(1, -2, 0.5), 3);
    accumulator.add(0, Float32Array.of(4, 8, -0.5), 1);
    const mean = new Float32Array(3);
    accumulator.scaleInto(mean, 1 / 4);
    expect([...mean]).toEqual([1.75, 0.5, 0.25]); // (3+4)/4, (-6+8)/4, (1.5-0.5)/4
  });

  test("takes pieces at any offset, of any length, from bytes at any alignment", () => {
    const length = 41;
    const values = Float32Array.from({ length }, (_, index) => index - 20);
    const shifted = new Uint8Array(length * 4 + 3);
    shifted.set(new Uint8Array(values.buffer), 3);
    const accumulator = createAccumulator(length);
    for (const [from, to] of [
      [0, 1],
      [1, 18],
      [18, 41],
    ] as const) {
      accumulator.add(from, shifted.subarray(3 + from * 4, 3 + to * 4), 2);
    }
    const twice = new Float32Array(length);
    accumulator.scaleInto(twice, 1);
    expect([...twice]).toEqual([...values].map((value) => value * 2 + 0));
  });

  test("crosses its staging block without a seam", () => {
    const length = 2 * BLOCK + 5;
    const values = Float32Array.from({ length }, (_, index) => index % 1000);
    const accumulator = createAccumulator(length);
    accumulator.add(0, values, 1);
    accumulator.add(0, values, 2);
    const sum = new Float32Array(length);
    accumulator.scaleInto(sum, 0.5);
    const wrong = sum.findIndex((value, index) => value !== (index % 1000) * 1.5);
    expect(wrong).toBe(-1);
  });

  test("reads a part of its sum", () => {
    const accumulator = createAccumulator(4);
    accumulator.add(1, Float32Array.of(5, 6), 1);
    const part = new Float32Array(2);
    accumulator.scaleInto(part, 1, 2);
    expect([...part]).toEqual([6, 0]);
  });

  test("starts over after a reset", () => {
    const accumulator = createAccumulator(2);
    accumulator.add(0, Float32Array.of(1, 2), 1);
    accumulator.reset();
    const sum = Float32Array.of(9, 9);
    accumulator.scaleInto(sum, 1);
    expect([...sum]).toEqual([0, 0]);
  });

  test("holds no element at all when asked for none", () => {
    const accumulator = createAccumulator(0);
    accumulator.add(0, new Float32Array(0), 1);
    expect(() => accumulator.scaleInto(new Float32Array(0), 1)).not.toThrow();
  });

  test.each([
    ["past the end", 2, new Float32Array(3)],
    ["before the start", -1, new Float32Array(1)],
    ["between elements", 0.5, new Float32Array(1)],
    ["that ends within an element", 0, new Uint8Array(6)],
  ])("refuses a piece %s", (_, offset, piece) => {
    const accumulator = createAccumulator(4);
    expect(() => accumulator.add(offset, piece, 1)).toThrowError(
      expect.objectContaining({ code: "WEIGHTS_INVALID" }),
    );
  });

  test("cannot be used after it was disposed of", () => {
    const accumulator = createAccumulator(1);
    accumulator.dispose();
    expect(() => accumulator.reset()).toThrowError(/disposed/);
  });
});

describe("numbers that are not finite", () => {
  test.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])(
    "%d is found at any place",
    (bad) => {
      for (let length = 1; length <= 9; length += 1) {
        for (let place = 0; place < length; place += 1) {
          const values = new Float32Array(length).fill(3.4e38);
          values[place] = bad;
          expect(firstNonFinite(values)).toBe(place);
        }
      }
    },
  );

  test("the first of several counts, beyond the staging block too", () => {
    const values = new Float32Array(BLOCK + 10);
    values[BLOCK + 3] = Number.NaN;
    values[BLOCK + 1] = Number.POSITIVE_INFINITY;
    expect(firstNonFinite(values)).toBe(BLOCK + 1);
    expect(zeroNonFinite(values)).toBe(2);
    expect(firstNonFinite(values)).toBe(-1);
  });

  test("finite extremes pass: largest, smallest subnormal, negative zero, nothing", () => {
    expect(firstNonFinite(Float32Array.of(3.4028234663852886e38, 1.401298464324817e-45, -0))).toBe(-1);
    expect(firstNonFinite(new Float32Array(0))).toBe(-1);
  });

  test("zeroing leaves the finite ones as they are", () => {
    const values = Float32Array.of(1, Number.NaN, -2, Number.NEGATIVE_INFINITY, 0.1);
    expect(zeroNonFinite(values)).toBe(2);
    expect([...values]).toEqual([1, 0, -2, 0, Math.fround(0.1)]);
  });
});
