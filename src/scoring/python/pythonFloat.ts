import { pythonStrip } from "../../base/index.js";

/**
 * `float(text)`, null where Python refuses: white space at the ends, one underscore between digits, any script's
 * decimal digits, `inf`, `infinity` and `nan` in any case.
 */
export function pythonFloat(text: string): number | null {
  const plain = pythonStrip(text).replace(/\p{Nd}/gu, digitValue);
  const special = /^([+-]?)(inf|infinity|nan)$/i.exec(plain);
  if (special !== null) {
    if (special[2]!.toLowerCase() === "nan") return Number.NaN;
    return special[1] === "-" ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  }
  return FLOAT.test(plain) ? Number(plain.replaceAll("_", "")) : null;
}

const DIGITS = String.raw`\d+(?:_\d+)*`;
const FLOAT = new RegExp(`^[+-]?(?:${DIGITS}\\.?(?:${DIGITS})?|\\.${DIGITS})(?:[eE][+-]?${DIGITS})?$`);

/** Decimal digits stand in runs of ten, from a zero on. */
function digitValue(digit: string): string {
  const code = digit.codePointAt(0)!;
  if (code < 128) return digit;
  // Several runs may touch: each begins a multiple of ten behind the first.
  let start = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(start - 1))) start--;
  return String((code - start) % 10);
}
