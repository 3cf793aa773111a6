/**
 * Splits code of Java or JavaScript at a sign outside of brackets and texts.
 * @throws Error for brackets or texts that do not end
 */
export function splitCode(code: string, sign: string): string[] {
  const parts: string[] = [];
  const open: string[] = [];
  let start = 0;
  for (let place = 0; place < code.length; place++) {
    const character = code[place]!;
    if (character === '"' || character === "'" || character === "`") {
      place = textEnd(code, place);
      continue;
    }
    if (CLOSING.has(character)) open.push(CLOSING.get(character)!);
    else if (")]}".includes(character) && open.pop() !== character)
      throw new Error(`${character} closes nothing`);
    else if (character === sign && open.length === 0 && isAlone(code, place)) {
      parts.push(code.slice(start, place));
      start = place + 1;
    }
  }
  if (open.length > 0) throw new Error(`${open.at(-1)} is missing`);
  return [...parts, code.slice(start)];
}

const CLOSING: ReadonlyMap<string, string> = new Map([
  ["(", ")"],
  ["[", "]"],
  ["{", "}"],
]);

/** Place of the quotation mark that ends a text. */
function textEnd(code: string, start: number): number {
  for (let place = start + 1; place < code.length; place++) {
    if (code[place] === "\\") place++;
    else if (code[place] === code[start]) return place;
  }
  throw new Error("a text without its end");
}

/** Whether an equals sign is one by itself, and no part of `==`, `=>`, `<=`. */
function isAlone(code: string, place: number): boolean {
  if (code[place] !== "=") return true;
  return !"=>".includes(code[place + 1] ?? " ") && !"=<>!".includes(code[place - 1] ?? " ");
}

/** A text between quotation marks of its own, which are taken away; undefined for anything else. */
export function quotedText(code: string): string | undefined {
  const quote = code[0];
  if (code.length < 2 || (quote !== '"' && quote !== "'") || code.at(-1) !== quote) return undefined;
  return code.slice(1, -1);
}
