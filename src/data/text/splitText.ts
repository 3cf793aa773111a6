import type { TextExample } from "./textExample.js";

/**
 * Holds out the end of a text: about this share of its characters, cut at white space, so that no word falls apart.
 * A text without white space there is cut where it falls, between characters.
 * @param fraction above 0, below 1
 */
export function splitText(text: string, fraction: number): { head: string; tail: string } {
  const target = Math.round(text.length * (1 - fraction));
  const behind = text.slice(target).search(/\s/u);
  const before = text.slice(0, target).search(/\s\S*$/u);
  let cut = target;
  if (behind >= 0) cut = target + behind;
  else if (before > 0) cut = before;
  else if (isLowSurrogate(text.charCodeAt(target))) cut = target + 1;
  return { head: text.slice(0, cut), tail: text.slice(cut).trimStart() };
}

/** Plain texts with the end of each held out. A part of which nothing is left is no example. */
export function splitTexts(
  documents: readonly { readonly text: string; readonly place: string; readonly owner: string }[],
  fraction: number,
): { train: TextExample[]; test: TextExample[] } {
  const train: TextExample[] = [];
  const test: TextExample[] = [];
  for (const { text, place, owner } of documents) {
    const { head, tail } = splitText(text, fraction);
    if (head !== "") train.push({ content: { kind: "text", text: head }, place, owner });
    if (tail !== "") test.push({ content: { kind: "text", text: tail }, place, owner });
  }
  return { train, test };
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
