import { endValue } from "./endValue.js";
import { splitAtTop, unwrap } from "./latexLevels.js";
import { latexTerm } from "./latexTerm.js";
import type { Mathematics, RelationSign, SetOperation } from "./mathematics.js";
import { callTerm, type Term } from "./term.js";

/**
 * Reads an answer in LaTeX: formulas, sets and lists, tuples, intervals, unions, matrices and chains of relations.
 * Undefined for what is none of them.
 */
export function parseMathematics(latex: string): Mathematics | undefined {
  const text = plainNumbers(latex).trim();
  if (text === "") return undefined;
  const parts = splitAtTop(text, /[,;]/y).map(({ text: part }) => part);
  const elements = allOf(parts.map(elementsOf))?.flat();
  return elements?.length === 1 ? elements[0] : elements && { kind: "set", elements };
}

/** Percentages and ratios as fractions, and numbers without marks between their thousands. */
function plainNumbers(latex: string): string {
  return latex
    .replace(/(?<![\d.,])(\d{1,3}(?:,\d{3})+)(?![\d,])/g, (whole) => whole.replaceAll(",", ""))
    .replace(/(\d+(?:\.\d+)?|\.\d+)\s*\\?%/g, "\\frac{$1}{100}")
    .replace(/(?<=\w\}?)\s*:\s*(?=\w)/g, "/");
}

function elementsOf(text: string): Mathematics[] | undefined {
  const [left, right, ...more] = splitAtTop(text, /\\pm(?![a-zA-Z])/y).map(({ text: part }) => part);
  if (right === undefined || more.length > 0) {
    const one = relation(text);
    return one && [one];
  }
  const [middle, off] = [latexTerm(left!), latexTerm(right)];
  if (middle === undefined || off === undefined) return undefined;
  return [callTerm("Add", middle, off), callTerm("Add", middle, callTerm("Negate", off))].map(asTerm);
}

const SIGNS: ReadonlyMap<string, RelationSign | "about"> = new Map<string, RelationSign | "about">([
  ["=", "="],
  ["\\in", "="],
  ["<", "<"],
  ["\\lt", "<"],
  [">", ">"],
  ["\\gt", ">"],
  ["\\neq", "!="],
  ["\\ne", "!="],
  ["\\leq", "<="],
  ["\\leqslant", "<="],
  ["\\le", "<="],
  ["\\geq", ">="],
  ["\\geqslant", ">="],
  ["\\ge", ">="],
  ["\\approx", "about"],
]);
const SIGN = /(?:\\(?:in|lt|gt|neq?|leq?(?:slant)?|geq?(?:slant)?|approx)(?![a-zA-Z])|[=<>])/y;

function relation(text: string): Mathematics | undefined {
  const pieces = splitAtTop(text, SIGN);
  if (pieces.length === 1) return setExpression(text);
  const sides = allOf(pieces.map(({ text: side }) => setExpression(side)));
  if (sides === undefined) return undefined;
  const signs = pieces.slice(1).map(({ before }) => SIGNS.get(before)!);
  if (signs.includes("about")) {
    // What is only about right says nothing new, but as the value of a name.
    return sides.length === 2 ? (isName(sides[0]!) ? sides[1] : sides[0]) : undefined;
  }
  return { kind: "relation", sides, signs: signs as RelationSign[] };
}

function isName(side: Mathematics): boolean {
  return side.kind === "term" && side.term.kind === "symbol";
}

const OPERATIONS: readonly (readonly [RegExp, SetOperation])[] = [
  [/(?:\\setminus|\\backslash)(?![a-zA-Z])/y, "difference"],
  [/\\cup(?![a-zA-Z])/y, "union"],
  [/\\cap(?![a-zA-Z])/y, "intersection"],
];

function setExpression(text: string): Mathematics | undefined {
  for (const [sign, kind] of OPERATIONS) {
    const parts = splitAtTop(text, sign).map(({ text: part }) => part);
    if (parts.length === 1) continue;
    const read = allOf(parts.map(setExpression));
    return read?.reduce((left, right) => ({ kind, left, right }));
  }
  return atom(text.trim());
}

const NAMED_SETS = new Map([
  ["\\emptyset", "Empty"],
  ["\\varnothing", "Empty"],
  ["\\{\\}", "Empty"],
  ["\\mathbb{N}", "Naturals"],
  ["\\mathbb{Z}", "Integers"],
  ["\\mathbb{Q}", "Rationals"],
  ["\\mathbb{R}", "Reals"],
  ["\\mathbb{C}", "Complexes"],
]);

function atom(text: string): Mathematics | undefined {
  const named = NAMED_SETS.get(text.replace(/\s/g, "").replace(/\\mathbb([A-Z])$/, "\\mathbb{$1}"));
  if (named !== undefined) return { kind: "named-set", name: named };
  const matrix = matrixOf(text);
  if (matrix !== undefined) return matrix;
  const wrapped = unwrap(text);
  if (wrapped !== undefined) {
    const { open, close, inner } = wrapped;
    const parts = splitAtTop(inner, /[,;]/y).map(({ text: part }) => part);
    if (open === "\\{" || (open === "{" && parts.length > 1)) {
      const elements = allOf(parts.map(elementsOf))?.flat();
      return elements && { kind: "set", elements };
    }
    if (parts.length === 1 && open === "(" && close === ")") return setExpression(inner);
    if (parts.length === 2 && open !== "{") {
      const interval = intervalOf(open, close, parts);
      if (interval !== undefined) return interval;
    }
    if (parts.length > 1 && open === "(" && close === ")") {
      const elements = allOf(parts.map(elementsOf))?.flat();
      return elements && { kind: "tuple", elements };
    }
  }
  const term = latexTerm(text);
  return term && asTerm(term);
}

/** From the lower to the higher end; a pair that is none is a tuple. */
function intervalOf(open: string, close: string, ends: readonly string[]): Mathematics | undefined {
  const [from, to] = ends.map(latexTerm);
  if (from === undefined || to === undefined) return undefined;
  const [openLeft, openRight] = [open === "(", close === ")"];
  const [low, high] = [from, to].map((end) => endValue(end));
  if (low !== undefined && high !== undefined && openLeft === openRight) {
    if (high < low || (openLeft && high === low)) return { kind: "tuple", elements: [from, to].map(asTerm) };
  }
  return { kind: "interval", from, to, openLeft, openRight };
}

const MATRIX = /^\\begin\{([pbvB]?matrix|array)\}(?:\{[lcr|]*\})?([\s\S]*)\\end\{\1\}$/;

function matrixOf(text: string): Mathematics | undefined {
  const inner = MATRIX.exec(text)?.[2];
  if (inner === undefined) return undefined;
  const lines = inner
    .split(/\\\\/)
    .filter((line, place, all) => line.trim() !== "" || place < all.length - 1);
  const rows = allOf(lines.map((line) => allOf(line.split("&").map((cell) => parseMathematics(cell)))));
  return rows && { kind: "matrix", rows };
}

function asTerm(term: Term): Mathematics {
  return { kind: "term", term };
}

function allOf<T>(values: readonly (T | undefined)[]): T[] | undefined {
  return values.every((value) => value !== undefined) ? (values as T[]) : undefined;
}
