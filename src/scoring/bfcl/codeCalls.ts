import { quotedText, splitCode } from "./codeLevels.js";
import { type FunctionCall, str, type Value } from "./value.js";

/**
 * The call in a line of Java or JavaScript. Every argument is a text, its quotation marks taken away; the checker makes
 * of it what the function's description says. One without a name gets a name that no function has.
 * @throws Error for what is no call, and for an argument that is given twice
 */
export function codeCalls(source: string): FunctionCall[] {
  const [, name, inside] = /^\s*([\p{L}_$][\p{L}\p{N}_$.]*)\s*\(([\s\S]*)\)\s*;?\s*$/u.exec(source) ?? [];
  if (name === undefined) throw new Error("no call");
  const given = new Map<string, Value>();
  for (const part of splitCode(inside!, ",")) {
    const code = part.trim();
    if (code === "") continue;
    requireExpression(code);
    const [left, ...right] = splitCode(code, "=");
    const isNamed = right.length === 1 && NAME.test(left!.trim());
    // Constants without a name are not looked at, as in the original.
    if (!isNamed && !NAME.test(code)) continue;
    const key = isNamed ? left!.trim() : UNNAMED;
    if (given.has(key)) throw new Error(`${key} is given twice`);
    const value = isNamed ? right[0]!.trim() : code;
    given.set(key, str(quotedText(value) ?? value));
  }
  return [{ name, given }];
}

const UNNAMED = "(unnamed)";
const NAME = /^[\p{L}_$][\p{L}\p{N}_$]*$/u;

/** Prose has words side by side, code only behind `new`. */
function requireExpression(code: string): void {
  const withoutTexts = code.replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, '""');
  const prose = /(?<![\p{L}\p{N}_$])(?!new\s)[\p{L}\p{N}_$]+\s+[\p{L}_$]/u.test(
    withoutTexts.replace(/\{[\s\S]*\}/g, "{}"),
  );
  if (prose) throw new Error("words side by side");
}
