import { describe, expect, it } from "vitest";
import { parseParams, parseRows } from "../../src/page/datasets/parseRows.js";
import { decimalsOf, shownCell, shownNumber, signed } from "../../src/page/parts/numbers.js";

describe("numbers of a table", () => {
  it.each([
    [0, "0"],
    [1000, "1000"],
    [0.123456, "0.1235"],
    [12.3456, "12.346"],
    [1234.567, "1234.57"],
    [0.0000123, "1.230e-5"],
    [2e9, "2.000e+9"],
    [-0.5, "-0.5000"],
  ])("%d is %s", (value, shown) => expect(shownNumber(value)).toBe(shown));

  it("have as many decimals as the others of their column", () => {
    const cells = [314, 251.2, null, undefined, "ok"];
    expect(decimalsOf(cells)).toBe(2);
    expect(cells.map((cell) => shownCell(cell, 2))).toEqual(["314.00", "251.20", "–", "–", "ok"]);
    expect(decimalsOf([1, 2, null])).toBe(0);
    expect(decimalsOf([0.5, 1])).toBe(4);
  });

  it("that differ have a sign", () => {
    expect([0.25, -0.25, 0].map(signed)).toEqual(["+0.2500", "−0.2500", "0"]);
  });
});

describe("pasted rows", () => {
  it("are objects on lines, or an array", () => {
    expect(parseRows('{"a": 1}\n\n {"a": 2}\r\n')).toEqual([{ a: 1 }, { a: 2 }]);
    expect(parseRows(' [{"a": 1}, {"a": 2}]')).toEqual([{ a: 1 }, { a: 2 }]);
  });

  it.each([
    ["", /no rows/],
    ['{"a": 1}\n{"a": }', /^Line 2: /],
    ['{"a": 1}\n7', /^Line 2: expected an object/],
    ['[{"a": 1}, null]', /^Element 1: expected an object/],
    ["[1", /^The array: /],
  ])("are told where they are none: %j", (text, words) => expect(() => parseRows(text)).toThrow(words));

  it("may come with params, or without", () => {
    expect(parseParams("  ")).toBeNull();
    expect(parseParams('{"k": 1}')).toEqual({ k: 1 });
    expect(() => parseParams("[]")).toThrow(/expected an object/);
  });
});
