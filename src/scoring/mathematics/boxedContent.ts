/**
 * What is in the boxes of a text, joined by commas; the text itself where there is none. With `last` only the last box and
 * those before it that nothing but "and", "or" or a comma parts from it. A box that never closes goes to the end.
 */
export function boxedContent(text: string, mode: "all" | "last"): string {
  const found: string[] = [];
  let [end, next] = [text.length, -1];
  for (let from = text.length; from >= 0; ) {
    const start = Math.max(text.lastIndexOf("\\boxed", from - 1), text.lastIndexOf("\\fbox", from - 1));
    if (from === 0 || start < 0) break;
    const open = nextCharacter(text, start + (text.startsWith("\\boxed", start) ? 6 : 5), end);
    if (open === undefined) break;
    const close = text[open] === "{" ? closingBrace(text, open, end) : undefined;
    if (close === undefined) {
      if (found.length === 0) found.push(text.slice(open));
      break;
    }
    if (mode === "last" && next >= 0 && !/^\s*(?:and|or|,)\s*$/.test(text.slice(close + 1, next))) break;
    found.push(text.slice(open + 1, close).trim());
    [end, next, from] = [start, start, start];
  }
  return found.length === 0 ? text : found.reverse().join(",");
}

function nextCharacter(text: string, from: number, end: number): number | undefined {
  let place = from;
  while (place < end && /\s/.test(text[place]!)) place += 1;
  return place < end ? place : undefined;
}

function closingBrace(text: string, open: number, end: number): number | undefined {
  let depth = 1;
  for (let place = open + 1; place < end; place++) {
    if (text[place] === "{") depth += 1;
    if (text[place] === "}") depth -= 1;
    if (depth === 0) return place;
  }
  return undefined;
}
