import { expect, it } from "vitest";
import { inShort } from "../../src/base/index.js";

it("names the first items and counts the others", () => {
  expect(inShort([])).toBe("");
  expect(inShort(["a", "b"], { most: 2 })).toBe("a, b");
  expect(inShort(["a", "b", "c", "d"], { most: 2, separator: "; " })).toBe("a; b and 2 more");
});
