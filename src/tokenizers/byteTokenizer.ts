import { tokenOfBytes } from "./byteAlphabet.js";
import { createByteLevelTokenizer } from "./byteLevelTokenizer.js";
import type { Tokenizer } from "./tokenizer.js";

/** Names of the byte tokenizer's special tokens; their ids are 256, 257 and 258. */
export const BYTE_SPECIAL_TOKENS = { bos: "<|bos|>", eos: "<|eos|>", pad: "<|pad|>" } as const;

/** A token for each byte, and begin, end and padding. Around a text stands the begin token. */
export function createByteTokenizer(): Tokenizer {
  const { bos, eos, pad } = BYTE_SPECIAL_TOKENS;
  return createByteLevelTokenizer({
    tokens: Array.from({ length: 256 }, (_, byte) => Uint8Array.of(byte)),
    specialNames: new Map([
      [bos, 256],
      [eos, 257],
      [pad, 258],
    ]),
    special: { bos: 256, eos: 257, pad: 258, unk: undefined },
    around: { before: [256], after: [] },
    chatTemplate: undefined,
    encodeText: (text) => [...Buffer.from(text)],
    nameOf: tokenOfBytes,
  });
}
