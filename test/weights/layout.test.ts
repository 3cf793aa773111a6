import { describe, expect, it } from "vitest";
import { layoutFrom, requireSameLayout } from "../../src/weights/index.js";

const weight = { name: "dense/kernel", dtype: "float32", shape: [2, 3] } as const;
const bias = { name: "dense/bias", dtype: "float32", shape: [3] } as const;
const expected = layoutFrom([weight, bias]);

describe("layouts", () => {
  it("place each array on the first multiple of eight behind the one before", () => {
    const layout = layoutFrom([
      { name: "a", dtype: "uint8", shape: [3] },
      { name: "b", dtype: "float32", shape: [] },
      { name: "c", dtype: "int32", shape: [0, 5] },
      { name: "d", dtype: "uint8", shape: [8] },
    ]);
    expect(layout.arrays.map(({ offset, length }) => [offset, length])).toEqual([
      [0, 3],
      [8, 1],
      [16, 0],
      [16, 8],
    ]);
    expect(layout.dataBytes).toBe(24);
  });

  it("agree with themselves", () => {
    expect(() => requireSameLayout(layoutFrom([weight, bias]), expected)).not.toThrow();
  });

  it.each([
    ["an array is missing at the end", [weight], /"dense\/bias": the array is missing: the weights end/],
    [
      "an array is missing before others",
      [bias],
      /"dense\/kernel": the array is missing: there is "dense\/bias"/,
    ],
    ["the order differs", [bias, weight], /"dense\/kernel"/],
    [
      "a type differs",
      [weight, { ...bias, dtype: "int32" as const }],
      /"dense\/bias": the array is int32; expected float32/,
    ],
    ["a shape differs", [{ ...weight, shape: [3, 2] }, bias], /has shape \[3,2\]; expected \[2,3\]/],
    ["a rank differs", [{ ...weight, shape: [6] }, bias], /has shape \[6\]; expected \[2,3\]/],
    [
      "there is an array too many",
      [weight, bias, { ...bias, name: "extra" }],
      /"extra": the array is not among/,
    ],
  ])("differ, by name, when %s", (_, arrays, message) => {
    const compare = () => requireSameLayout(layoutFrom(arrays), expected);
    expect(compare).toThrow(message);
    expect(compare).toThrow(expect.objectContaining({ code: "WEIGHTS_INVALID" }));
  });
});
