/** A part of a text, and the separator that stands before it (none before the first). */
export interface Part {
  readonly before: string;
  readonly text: string;
}

/** Splits LaTeX at separators outside of all brackets and environments. The pattern is sticky. */
export function splitAtTop(latex: string, separator: RegExp): Part[] {
  const parts: Part[] = [];
  let [depth, start, before] = [0, 0, ""];
  for (let place = 0; place < latex.length; ) {
    const step = stepAt(latex, place);
    if (depth === 0) {
      separator.lastIndex = place;
      const found = separator.exec(latex)?.[0];
      if (found !== undefined && found !== "") {
        parts.push({ before, text: latex.slice(start, place) });
        place += found.length;
        [start, before] = [place, found];
        continue;
      }
    }
    depth = Math.max(0, depth + step.deeper);
    place += step.length;
  }
  return [...parts, { before, text: latex.slice(start) }];
}

/** The brackets around a whole text and what is between them; an opening one may close with another kind. */
export function unwrap(latex: string): { open: string; close: string; inner: string } | undefined {
  const open = /^(?:\\\{|[([{])/.exec(latex)?.[0];
  if (open === undefined) return undefined;
  let depth = 0;
  for (let place = 0; place < latex.length; ) {
    const step = stepAt(latex, place);
    depth += step.deeper;
    place += step.length;
    if (depth > 0) continue;
    if (place < latex.length) return undefined;
    const close = latex.slice(place - step.length);
    return { open, close, inner: latex.slice(open.length, place - step.length) };
  }
  return undefined;
}

/**
 * Whether the brackets of a formula close, each with its own kind, and few square ones or integrals lie within each
 * other. Compute Engine's time doubles with each of the others: 14 opening brackets take it minutes.
 */
export function isQuicklyRead(latex: string): boolean {
  const open: string[] = [];
  let nested = 0;
  for (let place = 0; place < latex.length; ) {
    const { length } = stepAt(latex, place);
    const token = latex.slice(place, place + length);
    place += length;
    if (SLOW.test(token) && ++nested > MOST_NESTED) return false;
    const close = CLOSED_BY.get(token);
    if (close !== undefined) open.push(close);
    else if (open.length > 0 && CLOSING.has(token)) {
      if (open.pop() !== token) return false;
      if (SLOW_CLOSED.test(token)) nested -= 1;
    }
  }
  return open.length === 0;
}

const SLOW = /^(?:\[|\\(?:lbrack|i{1,3}nt|oint))$/;
const SLOW_CLOSED = /^(?:\]|\\rbrack)$/;
const MOST_NESTED = 6;
const CLOSED_BY: ReadonlyMap<string, string> = new Map([
  ["(", ")"],
  ["[", "]"],
  ["{", "}"],
  ["\\{", "\\}"],
  ...["floor", "ceil", "paren", "brack", "brace"].map((kind) => [`\\l${kind}`, `\\r${kind}`] as const),
]);
const CLOSING = new Set(CLOSED_BY.values());

/** What stands at a place as a whole, and by how much it opens or closes brackets. */
function stepAt(latex: string, place: number): { length: number; deeper: number } {
  const character = latex[place]!;
  if (character !== "\\") return { length: 1, deeper: DEEPER.get(character) ?? 0 };
  const command = /\\(?:[a-zA-Z]+|[\s\S])?/y;
  command.lastIndex = place;
  const found = command.exec(latex)![0];
  return { length: found.length, deeper: DEEPER.get(found) ?? 0 };
}

const DEEPER: ReadonlyMap<string, number> = new Map([
  ...["(", "[", "{", "\\{", "\\begin", "\\lfloor", "\\lceil", "\\langle"].map((open) => [open, 1] as const),
  ...[")", "]", "}", "\\}", "\\end", "\\rfloor", "\\rceil", "\\rangle"].map((close) => [close, -1] as const),
]);
