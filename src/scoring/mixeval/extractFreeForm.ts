import type { FreeFormReading } from "./ruleFreeForm.js";

/** What of an answer is compared: its numbers and its words, of the last statement where it reasons step by step. */
export interface FreeFormExtract extends FreeFormReading {
  readonly right: boolean;
}

/**
 * Whether a free-form answer gives one of the right ones, without a judge: numbers are equal however they are
 * written ("375,000", "twelve", "3/8", "$5.00", "40 %"), texts are found as whole words, whatever their case,
 * accents, articles and punctuation. Of step-by-step answers only the final statement counts. No partial credit.
 */
export function extractFreeForm(
  response: string,
  targets: readonly string[],
  reasons: boolean,
): FreeFormExtract {
  const statement = reasons ? finalStatement(response) : response;
  const compared = reasons ? result(statement) : numbersOf(statement);
  const text = plainWords(withoutLatex(statement));
  const right = targets.some((target) => {
    const value = asNumber(target);
    if (value !== null) return compared.some((found) => same(found, value));
    const wanted = plainWords(withoutLatex(target));
    return wanted.trim() !== "" && text.includes(wanted);
  });
  return { right, numbers: [...new Set(compared)], strings: [text.trim()] };
}

/** What follows the last "answer is", "####" or `\boxed`; else the last line that says something. */
function finalStatement(response: string): string {
  const boxed = [...response.matchAll(/\\boxed\{((?:[^{}]|\{[^{}]*\})*)\}/g)].at(-1)?.[1];
  if (boxed !== undefined) return boxed;
  const stated = [...response.matchAll(/(?:answer(?: is|:)|####)\s*:?\s*([^\n]+)/gi)].at(-1)?.[1];
  if (stated !== undefined) return stated;
  return response.split("\n").findLast((line) => /[\p{L}\p{N}]/u.test(line)) ?? response;
}

/** The number at the end is the result, in bold where any is: those before it are on the way there. */
function result(statement: string): number[] {
  const bold = [...statement.matchAll(/\*\*(.+?)\*\*/g)].flatMap(([, text]) => numbersOf(text!));
  return (bold.length > 0 ? bold : numbersOf(statement)).slice(-1);
}

// A minus behind a digit is a range or a difference.
const NUMBER =
  /(?:(?<!\d\s?)-)?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d+)?(?:e[+-]?\d+)?(?:\s*\/\s*\d+(?:\.\d+)?)?/giu;

function numbersOf(text: string): number[] {
  return [...withoutLatex(withDigits(text)).matchAll(NUMBER)].flatMap((match) => {
    const value = asNumber(match[0]);
    return value === null ? [] : [value];
  });
}

/** The number that a whole text is, with a currency, a percent sign or a full stop at its ends. */
function asNumber(text: string): number | null {
  const plain = withoutLatex(withDigits(text))
    .replace(/^[\s$€£]+|[\s%.]+$/g, "")
    .replaceAll(",", "");
  const fraction = /^(-?\d+(?:\.\d+)?)\s*\/\s*(\d+(?:\.\d+)?)$/.exec(plain);
  if (fraction !== null) {
    const below = Number(fraction[2]);
    return below === 0 ? null : Number(fraction[1]) / below;
  }
  return /^-?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(plain) ? Number(plain) : null;
}

/** Fractions as a/b, groups of digits closed up, wrapping commands gone. */
function withoutLatex(text: string): string {
  return text
    .replace(/\\[dt]?frac\{(-?[\d.]+)\}\{([\d.]+)\}/g, "$1/$2")
    .replace(/\\(?:text|mathrm|mathbf|boxed)\{([^{}]*)\}/g, "$1")
    .replace(/\\[!,;$%]/g, "")
    .replaceAll("$", "");
}

function same(found: number, wanted: number): boolean {
  return Math.abs(found - wanted) <= 1e-6 * Math.max(1, Math.abs(wanted));
}

const NUMBER_WORDS = new Map(
  (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen " +
    "seventeen eighteen nineteen twenty"
  )
    .split(" ")
    .map((word, value) => [word, String(value)]),
);
const NUMBER_WORD = new RegExp(`\\b(?:${[...NUMBER_WORDS.keys()].join("|")})\\b`, "gi");

function withDigits(text: string): string {
  return text.replace(NUMBER_WORD, (word) => NUMBER_WORDS.get(word.toLowerCase())!);
}

/** Words without case, accents, articles and punctuation, a space at each side. */
function plainWords(text: string): string {
  const words = withDigits(text)
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/(?<=\p{L})['’](?=\p{L})/gu, "")
    .match(/[\p{L}\p{N}]+/gu);
  return ` ${(words ?? []).filter((word) => !["a", "an", "the"].includes(word)).join(" ")} `;
}
