import { describe, expect, it } from "vitest";
import { type HalfFormat, widen } from "../../src/weights/halfPrecision.js";

function widened(format: HalfFormat, halves: number[]): Float32Array {
  const target = new Float32Array(halves.length + 1).fill(7);
  widen(format, Uint16Array.from(halves), target, 1);
  expect(target[0]).toBe(7);
  return target.subarray(1);
}

/** The value that IEEE 754 gives 16 bits: (-1)^s 2^(e-15) (1 + f/1024), 2^-14 f/1024 for e = 0. */
function valueOfHalf(half: number): number {
  const sign = half & 0x8000 ? -1 : 1;
  const exponent = (half >> 10) & 31;
  const fraction = half & 1023;
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  if (exponent === 0) return (sign * fraction) / 2 ** 24;
  return sign * 2 ** (exponent - 15) * (1 + fraction / 1024);
}

describe("16-bit floats", () => {
  it("in binary16 are widened to the value that each of them has", () => {
    const halves = Array.from({ length: 0x1_0000 }, (_, half) => half);
    const values = widened("F16", halves);
    for (const half of halves) expect(Object.is(values[half], valueOfHalf(half)), `${half}`).toBe(true);
  });

  it("in bfloat16 are the upper halves of 32-bit floats", () => {
    // 1, -2.5, 0, -0, the largest, the smallest, infinity.
    const values = widened("BF16", [0x3f80, 0xc020, 0, 0x8000, 0x7f7f, 0x0001, 0x7f80]);
    expect([...values]).toEqual([1, -2.5, 0, -0, 255 * 2 ** 120, 2 ** -133, Number.POSITIVE_INFINITY]);
    expect(widened("BF16", [0x7fc0])[0]).toBeNaN();
  });
});
