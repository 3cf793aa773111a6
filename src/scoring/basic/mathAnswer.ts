import { pythonStrip } from "../../base/index.js";
import { pythonFloat } from "../python/index.js";
import { REMOVED, SUBSTITUTIONS } from "./mathTables.js";
import { tidyLatex } from "./tidyLatex.js";

/** The text up to the first `Q:`, and of that up to the first `A:`: what follows is another question. */
export function firstAnswer(text: string): string {
  return text.split("Q:")[0]!.split("A:")[0]!;
}

/**
 * The final answer in a text, normalised so that equal answers mostly are equal texts (Lewkowycz et al. 2022, as
 * Llama Stack has it): the first match of the pattern, else what the last box holds, else the text as it is.
 * Fractions of two numbers are worked out to three digits.
 */
export function finalAnswer(text: string, pattern: RegExp): string {
  const [found] = text.matchAll(pattern);
  const picked = found === undefined ? lastBox(text) : (found[1] ?? found[0]);
  return workedOut(picked === "" ? text : normalised(picked));
}

/** What the last `\boxed` holds, without braces around it: `\boxed{x}` or `\boxed x$`. Empty where there is none. */
function lastBox(text: string): string {
  const start = text.lastIndexOf("\\boxed");
  if (start < 0) return "";
  const rest = pythonStrip(text.slice(start + "\\boxed".length));
  const end = boxEnd(rest, rest.startsWith("{"));
  if (end === undefined) return "";
  let inside = pythonStrip(rest.slice(0, end));
  while (inside.length > 1 && inside.startsWith("{") && inside.endsWith("}")) {
    inside = pythonStrip(inside.slice(1, -1));
  }
  return inside;
}

/** Where the box ends: behind the brace that closes it, else before the first dollar outside of braces. */
function boxEnd(text: string, braced: boolean): number | undefined {
  let open = 0;
  for (let place = 0; place < text.length; place++) {
    if (text[place] === "{") open++;
    if (text[place] === "}") open--;
    if (open !== 0) continue;
    if (braced) return place + 1;
    if (text[place] === "$") return place;
  }
  return undefined;
}

function normalised(picked: string): string {
  let answer = picked.split("=").at(-1)!;
  for (const [from, to] of SUBSTITUTIONS) answer = answer.replaceAll(from, to);
  for (const expression of REMOVED) answer = answer.replaceAll(expression, "");
  answer = answer
    .replace(/([^\n]*?)\$([^\n]*?)\$([^\n]*)/g, (_, _before, inside: string) => `$${inside}$`)
    .replace(/\\text\{([^\n]*?)\}/g, "$1")
    .replace(/\\textbf\{([^\n]*?)\}/g, "$1")
    .replace(/\\overline\{([^\n]*?)\}/g, "$1")
    .replace(/\\boxed\{([^\n]*)\}/g, "$1")
    .replace(/frac([^{])([^\n])/gu, "frac{$1}{$2}")
    .replace(/sqrt([^{])/gu, "sqrt{$1}")
    .replaceAll("$", "");
  if (/^\p{Nd}+$/u.test(answer.replaceAll(",", ""))) answer = answer.replaceAll(",", "");
  if (/^\([a-zA-Z]\)/.test(answer)) answer = answer[1]!;
  return tidyLatex(answer);
}

/** Each fraction of two numbers as Python formats it with `0.2e`. */
function workedOut(answer: string): string {
  let worked = answer;
  for (const [whole, above, below] of answer.matchAll(/\\frac\{([^}]+)\}\{([^}]+)\}/g)) {
    const [numerator, denominator] = [pythonFloat(above!), pythonFloat(below!)];
    if (numerator === null || denominator === null || denominator === 0) continue;
    worked = worked.replace(whole, () => threeDigits(numerator / denominator));
  }
  return worked;
}

/** `format(value, "0.2e")`: halves go to the even digit, the exponent has two digits at least. */
export function threeDigits(value: number): string {
  if (Number.isNaN(value)) return "nan";
  if (!Number.isFinite(value)) return value < 0 ? "-inf" : "inf";
  const [digits, exponent] = rounded(value).split("e") as [string, string];
  const size = exponent.slice(1).padStart(2, "0");
  return `${Object.is(value, -0) ? "-" : ""}${digits}e${exponent[0]}${size}`;
}

function rounded(value: number): string {
  const exact = value.toExponential(60);
  const [, sign, lead, kept, rest, exponent] = /^(-?)(\d)\.(\d\d)(\d*)e(.*)$/.exec(exact)!;
  const isHalf = /^50*$/.test(rest!);
  // JavaScript takes a half up.
  if (!isHalf || Number(kept!.at(-1)) % 2 === 1) return value.toExponential(2);
  return `${sign}${lead}.${kept}e${exponent}`;
}
