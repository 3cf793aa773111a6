import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { columnName } from "../../src/base/index.js";

describe("columnName", () => {
  it.each([
    ["accuracy", "accuracy"],
    ["Top-5 Accuracy", "top_5_accuracy"],
    ["arc:easy|0", "arc_easy_0"],
    ["__proto__", "proto"],
    ['a,b"c\nd', "a_b_c_d"],
    ["  F1 (macro) ", "f1_macro"],
    ["naïve", "na_ve"],
    ["🙂", ""],
    ["", ""],
  ])("makes %j into %j", (name, column) => {
    expect(columnName(name)).toBe(column);
  });

  it("leaves only letters, digits and single inner underscores, and changes nothing the second time", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (name) => {
        const column = columnName(name);
        expect(column).toMatch(/^([a-z0-9]+(_[a-z0-9]+)*)?$/);
        expect(columnName(column)).toBe(column);
      }),
    );
  });
});
