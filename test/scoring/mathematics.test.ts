import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  boxedContent,
  type MathematicsOptions,
  normalizeLatex,
  parseMathematics,
  readArithmetic,
  sameMathematics,
} from "../../src/scoring/index.js";

describe("parseMathematics", () => {
  // Each of these took the reader of formulas minutes at least, or longer than anybody lives.
  it.each([
    ["a rule of dashes", "-".repeat(200)],
    ["signs before a number", `${"-".repeat(200)}1`],
    ["brackets that never close", "(".repeat(60)],
    ["lists that never close", "\\left[1, ".repeat(40)],
    ["brackets that close otherwise", `${"[".repeat(30)}1${")".repeat(30)}`],
    ["lists within lists", `${"[".repeat(40)}1${"]".repeat(40)}`],
    ["integrals within integrals", "\\int ".repeat(60)],
    ["calls that never close", "\\sin(".repeat(60)],
    ["brackets within brackets", `${"(".repeat(900)}1${")".repeat(900)}`],
  ])("is done with %s at once", { timeout: 10_000 }, (_, text) => {
    expect(() => parseMathematics(text)).not.toThrow();
  });

  it("reads signs side by side as signs", () => {
    expect(sameMathematics("1--1", "2")).toBe(true);
    expect(sameMathematics("--3", "3")).toBe(true);
    expect(parseMathematics("((((((((1))))))))")).toEqual(parseMathematics("1"));
  });
});

describe("sameMathematics", () => {
  const alike: [string, string][] = [
    ["\\frac{1}{2}", "0.5"],
    ["\\frac{1}{3}", "0.333333"],
    ["50\\%", "\\dfrac12"],
    ["2\\frac{1}{2}", "2.5"],
    ["\\sqrt{8}", "2\\sqrt2"],
    ["(x+1)^2", "x^2+2x+1"],
    ["\\sin 2x", "2\\sin x\\cos x"],
    ["\\binom52", "10"],
    ["x_{1}+2", "2+x_1"],
    ["\\log_2 8", "3"],
    ["\\text{Friday}", "friday"],
    ["10{,}000", "10,000"],
    ["4:3", "\\frac43"],
    ["5\\text{ cm}", "5"],
    ["\\$5.00", "5"],
    ["30^\\circ", "30"],
    ["\\boxed{7}", "7"],
    ["x = 3", "3"],
    ["2x+3y=6", "6=3y+2x"],
    ["x>5", "5<x"],
    ["\\{1,2\\}", "2, 1"],
    ["\\{1,1,2\\}", "\\{1,2\\}"],
    ["1\\pm\\sqrt2", "\\{1-\\sqrt2,1+\\sqrt2\\}"],
    ["(2,1)", "2,1"],
    ["x\\in[0,1)", "[0, 1)"],
    ["0\\le x<1", "[0,1)"],
    ["[1,2]\\cup[2,3]", "[1,3]"],
    ["\\mathbb{R}\\setminus\\{0\\}", "(0,\\infty)\\cup(-\\infty,0)"],
    ["x\\ne0", "(-\\infty,0)\\cup(0,\\infty)"],
    ["\\begin{pmatrix}1&2\\\\3&4\\end{pmatrix}", "\\begin{bmatrix}1&\\sqrt4\\\\3&4\\end{bmatrix}"],
    ["\\gcd(4,6)", "2"],
  ];
  it.each(alike)("takes %s and %s for the same", (right, answer) => {
    expect(sameMathematics(right, answer)).toBe(true);
  });

  const different: [string, string][] = [
    ["\\frac{1}{3}", "0.3333"],
    ["\\sqrt2", "1.414214"],
    ["x+1", "x-1"],
    ["\\sqrt{x^2}", "x"],
    ["(2,1)", "1,2"],
    ["(1,2,3)", "(3,2,1)"],
    ["[0,1)", "[0,1]"],
    ["[1,2]\\cup[2,3]", "[1,2)\\cup(2,3]"],
    ["\\{1,2\\}", "\\{1,2,3\\}"],
    ["2x+3y=6", "4x+6y=12"],
    ["x>5", "x\\ge5"],
    ["1,234", "1, 234"],
    ["\\begin{pmatrix}1\\\\2\\end{pmatrix}", "\\begin{pmatrix}2\\\\1\\end{pmatrix}"],
    ["12345678901234567890", "12345678901234567891"],
    ["\\frac10", "\\frac20"],
    ["", ""],
    ["\\frac{", "\\sqrt{"],
  ];
  it.each(different)("takes %s and %s for different things", (right, answer) => {
    expect(sameMathematics(right, answer)).toBe(false);
  });

  it("compares to as many places as it is told, and what cannot be read as text", () => {
    const places = (digits: number): MathematicsOptions => ({ digits });
    expect(sameMathematics("\\frac13", "0.3333", places(4))).toBe(true);
    expect(sameMathematics("\\frac13", "0.3333", places(5))).toBe(false);
    expect(sameMathematics("\\frac{", "\\frac{")).toBe(true);
    expect(sameMathematics("\\boxed{1}", "1", { normalize: false })).toBe(false);
  });

  it("answers at once about numbers that nobody can write down", () => {
    expect(sameMathematics("9^{9^{9^{9}}}", "3")).toBe(false);
    expect(sameMathematics("99999999999!", "99999999999!")).toBe(true);
    expect(sameMathematics("{".repeat(3000), "1")).toBe(false);
  });

  it("finds every fraction equal to its multiples, and never to its successor", () => {
    const whole = fc.integer({ min: -9999, max: 9999 });
    const positive = fc.integer({ min: 1, max: 999 });
    fc.assert(
      fc.property(whole, positive, positive, (over, under, times) => {
        const right = `\\frac{${over}}{${under}}`;
        expect(sameMathematics(right, `${over * times}/${under * times}`)).toBe(true);
        expect(sameMathematics(right, `\\frac{${over + 1}}{${under}}`)).toBe(false);
      }),
      { numRuns: 50 },
    );
  });

  it("never throws, whatever is asked", () => {
    const pieces = fc.constantFrom(
      ..."\\frac{ \\sqrt } { ( ) [ ] , ; = < \\in \\pm \\cup 1 2 x % $ ^ _ & \\\\".split(" "),
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (some) => {
        sameMathematics(some.join(""), some.slice(1).join(" "));
      }),
      { numRuns: 150 },
    );
  });
});

describe("reading answers", () => {
  it("takes out the last boxes that stand in one list, or all", () => {
    const text = "\\boxed{1} so \\boxed{2}, \\boxed{3} and \\boxed{\\frac{4}{5}}.";
    expect(boxedContent(text, "last")).toBe("2,3,\\frac{4}{5}");
    expect(boxedContent(text, "all")).toBe("1,2,3,\\frac{4}{5}");
    expect(boxedContent("\\boxed{never", "last")).toBe("{never");
    expect(boxedContent("none", "all")).toBe("none");
  });

  it("takes away units and mends what is written short", () => {
    expect(normalizeLatex("12\\text{ cm}^2")).toBe("12");
    expect(normalizeLatex("\\frac12")).toBe("\\frac{1}{2}");
    expect(normalizeLatex("\\sqrt3")).toBe("\\sqrt{3}");
    expect(normalizeLatex("3/4")).toBe("\\frac{3}{4}");
    expect(normalizeLatex("a = b = c")).toBe("c");
  });

  it("tells pairs from intervals by their order", () => {
    expect(parseMathematics("(1,2)")).toMatchObject({ kind: "interval", openLeft: true, openRight: true });
    expect(parseMathematics("(2,1)")).toMatchObject({ kind: "tuple" });
    expect(parseMathematics("[1,2)")).toMatchObject({ kind: "interval", openLeft: false, openRight: true });
  });

  it("reads arithmetic as Python does", () => {
    expect(readArithmetic("-2 ** 2 + 3*(1 - .5)")).toBeDefined();
    for (const wrong of ["2 3", "2(3)", "1 +", "", "3 × 4", "(1", "1.2.3"])
      expect(readArithmetic(wrong)).toBeUndefined();
  });
});
