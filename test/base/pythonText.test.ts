import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  compareCodePoints,
  pythonCapitalize,
  pythonLeftStrip,
  pythonLength,
  pythonRightStrip,
  pythonStrip,
  pythonWords,
} from "../../src/base/index.js";

describe("Python's white space", () => {
  it("has the separators U+001C to U+001F and U+0085, and no byte order mark", () => {
    expect(pythonStrip("\x1c\x1f\x85\u00a0 a \u3000\x1d\n")).toBe("a");
    expect(pythonStrip("\uFEFFa\uFEFF")).toBe("\uFEFFa\uFEFF");
    expect(pythonLeftStrip(" a ")).toBe("a ");
    expect(pythonRightStrip(" a ")).toBe(" a");
    expect(pythonStrip(" \n ")).toBe("");
  });

  it("parts words", () => {
    expect(pythonWords("  one\x1ftwo \n three ")).toEqual(["one", "two", "three"]);
    expect(pythonWords(" ")).toEqual([]);
  });
});

describe("pythonCapitalize", () => {
  it.each([
    ["", ""],
    ["then he", "Then he"],
    ["then She SMILES", "Then she smiles"],
    ["[header] How", "[header] how"],
    ["\u01c6abc", "\u01c5abc"],
    ["\u00dfA", "Ssa"],
    ["\u{10428}X", "\u{10400}x"],
    ["\u0391\u03a3", "\u0391\u03c2"],
  ])("makes of %j %j, as str.capitalize does", (text, expected) => {
    expect(pythonCapitalize(text)).toBe(expected);
  });
});

it("pythonLength counts code points", () => {
  expect(pythonLength("a\u{1F600}\u00e9")).toBe(3);
});

describe("compareCodePoints", () => {
  it("puts what is beyond U+FFFF last, where UTF-16 would not", () => {
    expect(["\u{1F600}", "\uFFFD", "a", "", "ab"].sort(compareCodePoints)).toEqual([
      "",
      "a",
      "ab",
      "\uFFFD",
      "\u{1F600}",
    ]);
  });

  it("orders as lists of code points do", () => {
    const text = fc.string({ unit: "binary" });
    fc.assert(
      fc.property(text, text, (one, other) => {
        const [a, b] = [one, other].map((value) => Array.from(value, (char) => char.codePointAt(0)!));
        const place = a!.findIndex((point, at) => point !== b![at]);
        const expected =
          place === -1 || b![place] === undefined ? a!.length - b!.length : a![place]! - b![place]!;
        expect(Math.sign(compareCodePoints(one, other))).toBe(Math.sign(expected));
      }),
    );
  });
});
