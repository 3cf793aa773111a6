import { expect, test } from "vitest";
import { resizeBilinear } from "../../src/data/resizeBilinear.js";

test("an image of the same size stays as it is", () => {
  expect(resizeBilinear([1, 2, 3, 4, 5, 6], 2, 3, 2, 3)).toEqual(Float32Array.of(1, 2, 3, 4, 5, 6));
});

test("doubling a row puts quarter points between the centres and holds the ends", () => {
  // Target centres 0.25, 0.75, 1.25, 1.75 of two pixels lie at -0.25, 0.25, 0.75, 1.25 between centres 0 and 1.
  expect(resizeBilinear([0, 8], 1, 2, 1, 4)).toEqual(Float32Array.of(0, 2, 6, 8));
});

test("both directions are interpolated", () => {
  // Enlarging 2x2 to 3x3 samples at -1/6 (held at 0), 1/2 and 7/6 (held at 1).
  const image = [0, 4, 8, 12];
  expect(resizeBilinear(image, 2, 2, 3, 3)).toEqual(Float32Array.of(0, 2, 4, 4, 6, 8, 8, 10, 12));
});

test("halving takes the mean of two pixels", () => {
  expect(resizeBilinear([1, 3, 10, 20], 1, 4, 1, 2)).toEqual(Float32Array.of(2, 15));
});
