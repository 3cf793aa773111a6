import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  countMatches,
  isFound,
  isLower,
  isPythonJson,
  isUpper,
  pythonPattern,
  stripBoth,
} from "../../src/scoring/python/index.js";

const all = (pattern: string, text: string, flags = {}) => [
  ...(text.match(pythonPattern(pattern, flags)) ?? []),
];

describe("a pattern in Python's notation", () => {
  it("has the words, digits, spaces and borders of Unicode", () => {
    expect(all("\\w+", "naïve_1 – ²½ 日本 e\u0301x")).toEqual(["naïve_1", "²½", "日本", "e", "x"]);
    expect(all("\\d", "1٣²")).toEqual(["1", "٣"]);
    expect(all("\\s", "\x1c\x85\ufeff\u3000a")).toEqual(["\x1c", "\x85", "\u3000"]);
    expect(all("\\bart\\b", "éart art _art art!")).toEqual(["art", "art"]);
    expect(all("[^\\W\\d]", "a1_!")).toEqual(["a", "_"]);
  });

  it("knows only the line feed as an end of a line", () => {
    expect(all(".+", "a\rb\u2028c\nd")).toEqual(["a\rb\u2028c", "d"]);
    expect(all("^.", "a\rb\nc", { multiline: true })).toEqual(["a", "c"]);
    expect(all(".$", "a\rb\nc\n", { multiline: true })).toEqual(["b", "c"]);
    expect(all(".$", "a\nb\n")).toEqual(["b"]);
    expect(all(".$", "a\nb\n\n")).toEqual([]);
    expect(all(".\\Z", "a\n")).toEqual([]);
    expect(all("\\A.", "ab")).toEqual(["a"]);
  });

  it("takes i, I, dotless and dotted I as one letter where case does not count", () => {
    for (const letter of "iIıİ") expect(all(letter, "iIıİ", { ignoreCase: true })).toHaveLength(4);
    expect(all("[h-j]", "iIıİ", { ignoreCase: true })).toHaveLength(4);
    expect(all("[^i]", "iIıİx", { ignoreCase: true })).toEqual(["x"]);
    expect(all("i", "iIıİ")).toEqual(["i"]);
    expect(all("(?i)k", "kK\u212a")).toHaveLength(3);
  });

  it.each([
    ["{", "a{", ["{"]],
    ["a{,2}b", "aaab b", ["aab", "b"]],
    ["x{2,}", "xxx x", ["xxx"]],
    ["[]x]", "]", ["]"]],
    ["[^]x]", "]y", ["y"]],
    ["[a\\-c]", "b-", ["-"]],
    ["a-b/c", "a-b/c", ["a-b/c"]],
    ["\\x41\\u00e9\\n\\101?", "Aé\n", undefined],
    ["[\\101]", "A", ["A"]],
    ["(?P<n>o)(?P=n)", "foo", ["oo"]],
    ["(a)\\1", "aa", ["aa"]],
    ["a(?#comment)b", "ab", ["ab"]],
    ["(?<=a)b(?!c)", "ab abc", ["b"]],
    ["[&&a]", "&", ["&"]],
    ["😀+", "😀😀", ["😀😀"]],
  ] as const)("%s is read as Python reads it", (pattern, text, expected) => {
    if (expected === undefined) expect(() => pythonPattern(pattern)).toThrow(/bad escape|invalid/i);
    else expect(all(pattern, text)).toEqual(expected);
  });

  it.each(["C++", "(", "[a", "*a", "a**", "\\q", "\\x4", "(?P<n", "(?>a)", "?"])(
    "%s is refused, with the mend",
    (pattern) => {
      expect(() => pythonPattern(pattern)).toThrow(
        expect.objectContaining({
          code: "ROW_INVALID",
          message: expect.stringContaining("Write a backslash"),
        }),
      );
    },
  );

  it("finds any text that is escaped, wherever it stands", () => {
    const text = fc.string({ unit: "grapheme" });
    fc.assert(
      fc.property(text, text, text, (before, needle, after) => {
        const escaped = needle.replace(/[!-/:-@[-`{-~]/g, "\\$&");
        return isFound(before + needle + after, pythonPattern(escaped));
      }),
    );
  });

  it("counts without overlap", () => {
    expect(countMatches("aaaa", pythonPattern("aa"))).toBe(2);
    expect(countMatches("", pythonPattern("a"))).toBe(0);
  });
});

describe("JSON as Python reads it", () => {
  it("takes NaN and the infinities as values, outside of strings only", () => {
    for (const text of ["NaN", "[Infinity, -Infinity]", '{"NaN": "\\"NaN"}'])
      expect(isPythonJson(text)).toBe(true);
    for (const text of ["-NaN", "1NaN", "NaNNaN", "{NaN: 1}", "+Infinity", "nan"])
      expect(isPythonJson(text)).toBe(false);
  });

  it("refuses integers of more than 4,300 digits, but no other numbers and no strings", () => {
    const digits = "7".repeat(4300);
    for (const text of [
      digits,
      `-${digits}`,
      `0.${digits}7`,
      `${digits}7.5`,
      `${digits}7e1`,
      `1e0${digits}`,
    ]) {
      expect(isPythonJson(text)).toBe(true);
    }
    expect(isPythonJson(`"${digits}7"`)).toBe(true);
    expect(isPythonJson(`[${digits}7]`)).toBe(false);
    expect(isPythonJson(`{"a": -${digits}7}`)).toBe(false);
  });

  it("agrees with JSON.parse on everything else", () => {
    fc.assert(fc.property(fc.json(), isPythonJson));
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'{}[],:"\\0123.e-+ \ntruefalsn') }), (text) => {
        let parses = true;
        try {
          JSON.parse(text);
        } catch {
          parses = false;
        }
        return isPythonJson(text) === parses;
      }),
    );
  });
});

it("case is Unicode's, and title case is neither upper nor lower", () => {
  expect(["A", "A1!", "Ⓐ", "ǅ", "Aǅ", "1", "", "Ab", "İ"].map(isUpper)).toEqual([
    ...[true, true, true, false, false, false, false, false, true],
  ]);
  expect(["a", "a1!", "ª", "ǅ", "aǅ", "1", "", "Ab", "ß"].map(isLower)).toEqual([
    ...[true, true, true, false, false, false, false, false, true],
  ]);
});

it("all quotes at both ends are taken off", () => {
  expect(['""a"b"', '"""', "a"].map((text) => stripBoth(text, '"'))).toEqual(['a"b', "", "a"]);
});
