import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ratioError } from "../../src/evaluations/ratioError.js";

const part = (row: number, numerator: number, denominator = 1) => ({ row, numerator, denominator });

describe("the standard error of a ratio over rows", () => {
  test("is that of a mean where each row counts once", () => {
    // 1, 0, 1, 1: mean 3/4, squares 3/16 + 9/16, over 3 and 4.
    const parts = [1, 0, 1, 1].map((value, row) => part(row, value));
    expect(ratioError(parts, "identity")).toBeCloseTo(Math.sqrt(0.75 / 3 / 4), 12);
  });

  test("weighs rows by what they add, and follows the slope of the exponential function", () => {
    // 2 of 4 and 4 of 2: ratio 1, deviations -2 and 2; sqrt(2 * 8) / 6.
    const parts = [part(0, 2, 4), part(1, 4, 2)];
    expect(ratioError(parts, "identity")).toBeCloseTo(2 / 3, 12);
    expect(ratioError(parts, "exp")).toBeCloseTo((2 / 3) * Math.E, 12);
  });

  test("takes the answers of one row for one", () => {
    const row = (values: number[], index: number) => values.map((value) => part(index, value));
    const twice = [...row([1, 1], 0), ...row([0, 0], 1), ...row([1, 1], 2)];
    const once = [part(0, 1), part(1, 0), part(2, 1)];
    expect(ratioError(twice, "identity")).toBeCloseTo(ratioError(once, "identity")!, 12);
  });

  test("is not known of one row, nor of nothing", () => {
    expect(ratioError([part(0, 1), part(0, 2)], "identity")).toBeUndefined();
    expect(ratioError([part(0, 0, 0), part(1, 0, 0)], "identity")).toBeUndefined();
  });

  test("does not depend on the order of rows", () => {
    const rows = fc.array(fc.tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 1, max: 9 })), {
      minLength: 2,
      maxLength: 9,
    });
    fc.assert(
      fc.property(rows, (values) => {
        const parts = values.map(([numerator, denominator], row) => part(row, numerator, denominator));
        expect(ratioError([...parts].reverse(), "exp")).toBeCloseTo(ratioError(parts, "exp")!, 9);
      }),
    );
  });
});
