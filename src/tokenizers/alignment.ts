import { createByteRangeToOffsets } from "./offsets.js";
import type { TextSection } from "./specialNames.js";

/** A token to be found in the text; without bytes it stands for anything. */
export interface AlignedToken {
  readonly bytes: Uint8Array | undefined;
}

type Offsets = readonly [start: number, end: number];

/**
 * Finds the part of the text that each token stands for. Where the tokens' bytes are the text's (perhaps with a
 * space in front) this is exact. Else the text is normalised in parts, each of which keeps its place, and the
 * tokens are found one behind the other in what comes out; white space that no token says is stepped over, an
 * unknown token reaches to the next known one, and a token that is not found spans nothing.
 */
export function alignTokens(
  text: string,
  tokens: readonly AlignedToken[],
  normaliser: TextNormaliser,
): Offsets[] {
  return alignExactly(text, tokens) ?? alignBySearch(normalisedInParts(text, normaliser), tokens);
}

/** What a tokenizer does to a text before it looks for tokens. */
export interface TextNormaliser {
  /** Cuts out names of tokens that are found before anything is changed. */
  split(text: string): TextSection[];
  normalise(text: string): string;
}

function alignExactly(text: string, tokens: readonly AlignedToken[]): Offsets[] | undefined {
  const bytes = Buffer.from(text);
  const all = Buffer.concat(tokens.map((token) => token.bytes ?? new Uint8Array(0)));
  if (tokens.some((token) => token.bytes === undefined)) return undefined;
  const lead = all.length === bytes.length + 1 && all[0] === SPACE ? 1 : 0;
  if (!all.subarray(lead).equals(bytes)) return undefined;
  const toOffsets = createByteRangeToOffsets(text);
  let position = -lead;
  return tokens.map((token) => {
    const start = Math.max(0, position);
    position += token.bytes!.length;
    return toOffsets(start, Math.max(0, position));
  });
}

/** Bytes of the normalised text, and the characters of the original that each comes from. */
interface Normalised {
  readonly bytes: Buffer;
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

/** A character, with the marks and Hangul letters that may join it. */
const PART = /[\u1100-\u11ff]+|\P{M}\p{M}*|\p{M}+/gu;

function normalisedInParts(text: string, { split, normalise }: TextNormaliser): Normalised {
  const chunks: Buffer[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  let position = 0;
  const add = (original: string, content: string) => {
    const bytes = Buffer.from(content);
    chunks.push(bytes);
    for (let byte = 0; byte < bytes.length; byte++) {
      starts.push(position);
      ends.push(position + original.length);
    }
    position += original.length;
  };
  for (const section of split(text)) {
    const parts = section.id === undefined ? (section.text.match(PART) ?? []) : [];
    if (section.id !== undefined) for (const unit of section.text) add(unit, unit);
    for (const part of parts) {
      const changed = normalise(part).replaceAll("\u2581", " ");
      // Normalisers that put a space before the whole text put it before each part: it belongs to none.
      add(part, part.startsWith(" ") ? changed : changed.replace(/^ /, ""));
    }
  }
  return { bytes: Buffer.concat(chunks), starts, ends };
}

function alignBySearch({ bytes, starts, ends }: Normalised, tokens: readonly AlignedToken[]): Offsets[] {
  const lastEnd = ends.at(-1) ?? 0;
  const offsets: Offsets[] = [];
  let position = 0;
  tokens.forEach((token, index) => {
    const found =
      token.bytes === undefined
        ? unknownRange(bytes, position, tokens[index + 1]?.bytes)
        : knownRange(bytes, position, token.bytes);
    const at = starts[position] ?? lastEnd;
    if (found === undefined) offsets.push([at, at]);
    else {
      offsets.push(found[1] > found[0] ? [starts[found[0]]!, ends[found[1] - 1]!] : [at, at]);
      position = found[1];
    }
  });
  return offsets;
}

const SPACE = 0x20;
const WHITE = new Set([0x09, 0x0a, 0x0b, 0x0c, 0x0d, SPACE]);

/** The token here; else without its leading space; else behind the white space that stands here. */
function knownRange(bytes: Buffer, position: number, token: Uint8Array): [number, number] | undefined {
  const bare = token[0] === SPACE ? token.subarray(1) : token;
  if (matches(bytes, position, token)) return [position, position + token.length];
  if (matches(bytes, position, bare)) return [position, position + bare.length];
  let start = position;
  while (start < bytes.length && WHITE.has(bytes[start]!)) start++;
  return matches(bytes, start, bare) ? [start, start + bare.length] : undefined;
}

/** From here to where the next token is found; to the next white space where it is not. */
function unknownRange(bytes: Buffer, position: number, next: Uint8Array | undefined): [number, number] {
  let start = position;
  while (start < bytes.length && WHITE.has(bytes[start]!)) start++;
  const bare = next?.[0] === SPACE ? next.subarray(1) : next;
  let end = bare === undefined || bare.length === 0 ? bytes.length : bytes.indexOf(bare, start + 1);
  if (end < 0) {
    end = start;
    while (end < bytes.length && !WHITE.has(bytes[end]!)) end++;
  }
  while (end > start && WHITE.has(bytes[end - 1]!)) end--;
  return [start, end];
}

function matches(bytes: Buffer, position: number, token: Uint8Array): boolean {
  if (position + token.length > bytes.length) return false;
  return bytes.compare(token, 0, token.length, position, position + token.length) === 0;
}
