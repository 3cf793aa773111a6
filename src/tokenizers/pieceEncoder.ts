import { tokenOfBytes } from "./byteAlphabet.js";
import { createSpecialSplitter } from "./specialNames.js";
import type { TokenizerDocument } from "./tokenizerFiles.js";

/** What the library does of the work. */
export interface PieceEngine {
  /** Cuts a text as the document's splitters before the byte level do; absent where it has none. */
  readonly split: ((text: string) => string[]) | undefined;
  /** Merges the characters of a piece that stands in byte characters. */
  merge(piece: string): (number | undefined)[];
}

/** Pieces whose ids are kept; beyond that the memory starts anew. */
const CAPACITY = 50_000;
const LONGEST_KEPT = 64;

/**
 * A faster way through a byte-level tokenizer: pieces of text recur, so the ids of each are kept and only new ones
 * go to the library. 2 MB of speeches took 8 s through the library alone and 0.5 s so, on a busy machine.
 */
export function createPieceEncoder(
  document: TokenizerDocument,
  { split, merge }: PieceEngine,
): (text: string) => (number | undefined)[] {
  const known = new Map<string, readonly (number | undefined)[]>();
  const splitNames = createSpecialSplitter(
    new Map(document.added_tokens.map(({ content, id }) => [content, id])),
  );
  const composed = document.normalizer?.type === "NFC";
  const byteLevel = lastMember(document)!;
  const useRegex = byteLevel.use_regex !== false;
  return (text) => {
    const ids: (number | undefined)[] = [];
    for (const section of splitNames(text)) {
      if (section.id !== undefined) {
        ids.push(section.id);
        continue;
      }
      const whole = composed ? section.text.normalize("NFC") : section.text;
      for (const part of split?.(whole) ?? [whole]) {
        for (const piece of useRegex ? (part.match(GPT2_PIECES) ?? []) : [part]) {
          let found = known.get(piece);
          if (found === undefined) {
            found = merge(tokenOfBytes(Buffer.from(piece)));
            if (known.size >= CAPACITY) known.clear();
            if (piece.length <= LONGEST_KEPT) known.set(piece, found);
          }
          for (const id of found) ids.push(id);
        }
      }
    }
    return ids;
  };
}

/** Whether a tokenizer only cuts, turns into byte characters and merges, with names of tokens found as they stand. */
export function isPiecewise(document: TokenizerDocument): boolean {
  const last = lastMember(document);
  const plainNames = document.added_tokens.every(
    (token) =>
      !token.lstrip && !token.rstrip && !token.single_word && !(document.normalizer && token.normalized),
  );
  return (
    document.model.type === "BPE" &&
    (!document.normalizer || document.normalizer.type === "NFC") &&
    last?.type === "ByteLevel" &&
    last.add_prefix_space === false &&
    plainNames
  );
}

/** The splitters before the byte level, as a part of `tokenizer.json`; absent where there are none. */
export function splittersOf({ pre_tokenizer: component }: TokenizerDocument) {
  if (component?.type !== "Sequence" || !Array.isArray(component.pretokenizers)) return undefined;
  const pretokenizers = component.pretokenizers.slice(0, -1);
  return pretokenizers.length === 0 ? undefined : { type: "Sequence", pretokenizers };
}

/** The byte level's own pattern, GPT-2's. */
const GPT2_PIECES = /'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+/gu;

function lastMember({ pre_tokenizer: component }: TokenizerDocument): Record<string, unknown> | undefined {
  if (component?.type !== "Sequence") return component ?? undefined;
  return Array.isArray(component.pretokenizers) ? component.pretokenizers.at(-1) : undefined;
}
