import { createByteRangeToOffsets } from "./offsets.js";
import { createSpecialSplitter } from "./specialNames.js";
import { createTextStream } from "./textStream.js";
import type { EncodeOptions, SpecialTokens, Tokenizer } from "./tokenizer.js";

/** What a tokenizer whose tokens are pieces of the text's bytes is made of. */
export interface ByteLevelParts {
  /** Bytes per id; a gap is no token or a special one. */
  readonly tokens: readonly (Uint8Array | undefined)[];
  /** Special tokens by name. */
  readonly specialNames: ReadonlyMap<string, number>;
  readonly special: SpecialTokens;
  /** Ids put before and behind a text with `addSpecialTokens`. */
  readonly around: { readonly before: readonly number[]; readonly after: readonly number[] };
  readonly chatTemplate: string | undefined;
  /** Ids of a text in which no special token is looked for. Their bytes are the text's. */
  encodeText(text: string): number[];
  /** A token as the vocabulary writes it. */
  nameOf(bytes: Uint8Array): string;
}

/** Ids and the number of bytes of the text that each stands for. */
interface Piece {
  readonly id: number;
  readonly bytes: number;
}

/** A tokenizer that gives every well-formed text back byte by byte. */
export function createByteLevelTokenizer(parts: ByteLevelParts): Tokenizer {
  const { tokens, specialNames, around } = parts;
  const splitSpecials = createSpecialSplitter(specialNames);
  const nameOfSpecial = new Map([...specialNames].map(([name, id]) => [id, name]));
  const specialIds = [...nameOfSpecial.keys()].sort((one, other) => one - other);
  const idOfName = new Map<string, number>();
  tokens.forEach((bytes, id) => {
    if (bytes !== undefined && !idOfName.has(parts.nameOf(bytes))) idOfName.set(parts.nameOf(bytes), id);
  });
  for (const [name, id] of specialNames) idOfName.set(name, id);

  const tokenBytes = (id: number) => (nameOfSpecial.has(id) ? undefined : tokens[id]) ?? NO_BYTES;
  const pieces = (text: string, { specialTokens = "parse" }: EncodeOptions): Piece[] => {
    const found: Piece[] = [];
    const sections = specialTokens === "parse" ? splitSpecials(text) : [{ text, id: undefined }];
    for (const section of sections) {
      if (section.id === undefined) {
        for (const id of parts.encodeText(section.text)) found.push({ id, bytes: tokenBytes(id).length });
      } else found.push({ id: section.id, bytes: Buffer.byteLength(section.text) });
    }
    return found;
  };

  const tokenizer: Tokenizer = {
    vocabularySize: Math.max(tokens.length, (specialIds.at(-1) ?? -1) + 1),
    special: parts.special,
    specialIds,
    chatTemplate: parts.chatTemplate,
    byteLevel: true,
    encode(text, options = {}) {
      const ids: number[] = options.addSpecialTokens ? [...around.before] : [];
      const sections = options.specialTokens === "text" ? [{ text, id: undefined }] : splitSpecials(text);
      for (const section of sections) {
        if (section.id !== undefined) ids.push(section.id);
        else for (const id of parts.encodeText(section.text)) ids.push(id);
      }
      if (options.addSpecialTokens) ids.push(...around.after);
      return ids;
    },
    encodeWithOffsets(text, options = {}) {
      const toOffsets = createByteRangeToOffsets(text);
      const found = pieces(text, options);
      let position = 0;
      const offsets = found.map(({ bytes }) => {
        position += bytes;
        return toOffsets(position - bytes, position);
      });
      const ids = found.map((piece) => piece.id);
      if (!options.addSpecialTokens) return { ids, offsets };
      return {
        ids: [...around.before, ...ids, ...around.after],
        offsets: [
          ...around.before.map(() => [0, 0] as const),
          ...offsets,
          ...around.after.map(() => [text.length, text.length] as const),
        ],
      };
    },
    decode(ids, options = {}) {
      const stream = createTextStream(tokenizer, options);
      return stream.push(ids) + stream.end();
    },
    tokenBytes,
    tokenToId: (token) => idOfName.get(token),
    idToToken(id) {
      const name = nameOfSpecial.get(id);
      if (name !== undefined) return name;
      const bytes = tokens[id];
      return bytes === undefined ? undefined : parts.nameOf(bytes);
    },
  };
  return tokenizer;
}

const NO_BYTES = new Uint8Array(0);
