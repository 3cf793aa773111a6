import { pythonRightStrip } from "../../base/index.js";
import { pythonPattern } from "../python/pythonPattern.js";

import { englishParameters, type PunktParameters } from "./punktParameters.js";
import { containsBreak, NON_WORD } from "./sentenceBreak.js";

/**
 * The sentences of an English text as NLTK 3.8's Punkt tokenizer splits them: pieces of the text in order, without
 * the white space between them. A blank text has none.
 */
export function splitSentences(text: string, parameters: PunktParameters = englishParameters()): string[] {
  return realigned(text, slices(text, parameters)).map(({ start, stop }) => text.slice(start, stop));
}

/** A piece of the text, in UTF-16 units. */
interface Slice {
  start: number;
  stop: number;
}

/** A mark that may end a sentence. */
interface Candidate {
  /** The word before the mark. */
  word: Slice;
  /** Just behind the mark. */
  end: number;
  /** What follows as far as it matters: one character, or white space and a token. */
  after: string;
  /** Where the next token starts, if white space comes between. */
  nextToken: number | undefined;
}

const POSSIBLE_END = pythonPattern(String.raw`[.?!](?=(${NON_WORD}|(\s+)\S+))`);
const CLOSING = pythonPattern(String.raw`\A["')\]}]+?(?:\s+|(?=--)|(?![^\n]))`);
/** Python's `string.whitespace`, which is ASCII only. */
const ASCII_SPACE = " \t\n\r\v\f";

function slices(text: string, parameters: PunktParameters): Slice[] {
  const found: Slice[] = [];
  let start = 0;
  for (const { word, end, after, nextToken } of candidates(text)) {
    if (!containsBreak(text.slice(word.start, end) + after, parameters)) continue;
    found.push({ start, stop: end });
    start = nextToken ?? end;
  }
  found.push({ start, stop: pythonRightStrip(text).length });
  return found;
}

/** The possible ends; of several within one word (`acting!!!`) only the last. */
function candidates(text: string): Candidate[] {
  const kept: Candidate[] = [];
  let previous: Candidate | undefined;
  for (const match of text.matchAll(POSSIBLE_END)) {
    const [, after, gap] = match as unknown as [string, string, string | undefined];
    const before: Slice = previous?.word ?? { start: 0, stop: 0 };
    const space = lastSpace(text, before.stop, match.index);
    // NLTK takes white space right at the border for none at all.
    const wordStart = space > before.stop ? space + 1 : before.start;
    if (previous !== undefined && before.stop <= wordStart) kept.push(previous);
    const end = match.index + 1;
    previous = {
      word: { start: wordStart, stop: match.index },
      end,
      after,
      nextToken: gap === undefined ? undefined : end + gap.length,
    };
  }
  if (previous !== undefined) kept.push(previous);
  return kept;
}

/** The last ASCII white space in [start, stop), or `start`. */
function lastSpace(text: string, start: number, stop: number): number {
  for (let index = stop - 1; index > start; index--) {
    if (ASCII_SPACE.includes(text[index]!)) return index;
  }
  return start;
}

/** Moves closing quotes and brackets at the start of a sentence to the end of the one before, and drops empty ones. */
function realigned(text: string, found: readonly Slice[]): Slice[] {
  const kept: Slice[] = [];
  let moved = 0;
  for (const [index, { start, stop }] of found.entries()) {
    const sentence = { start: start + moved, stop };
    const next = found[index + 1];
    const closing = next && text.slice(next.start, next.stop).match(CLOSING)?.[0];
    moved = closing?.length ?? 0;
    if (next && closing) {
      kept.push({ start: sentence.start, stop: next.start + pythonRightStrip(closing).length });
    } else if (sentence.start < sentence.stop) {
      kept.push(sentence);
    }
  }
  return kept;
}
