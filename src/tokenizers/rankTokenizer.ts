import { ElenchusError } from "../base/index.js";
import { tokenOfBytes } from "./byteAlphabet.js";
import { createByteLevelTokenizer } from "./byteLevelTokenizer.js";
import { createByteMerger } from "./byteMerger.js";
import { compileSplitPattern, NANOCHAT_PATTERN, splitPieces } from "./splitPattern.js";
import type { Tokenizer } from "./tokenizer.js";

/** What a tiktoken encoding is made of. */
export interface RankTokenizerOptions {
  /** Bytes per rank; the rank is the id and says which merge comes first. All 256 single bytes must be there. */
  readonly tokens: readonly (Uint8Array | undefined)[];
  /** How a text is cut before merging, as tiktoken writes it. */
  readonly pattern: string;
  /** Special tokens by name, with ids of their own. */
  readonly specialTokens: Readonly<Record<string, number>>;
  /** Names of the special tokens that play a part. */
  readonly bos?: string;
  readonly eos?: string;
  readonly pad?: string;
  /** Names put before a text with `addSpecialTokens`. Default: the begin token, if there is one. */
  readonly before?: readonly string[];
  readonly chatTemplate?: string;
}

/**
 * A tokenizer by ranks, as tiktoken has them. The only difference: what the pattern does not match becomes tokens
 * as well, tiktoken drops it.
 * @throws INPUT_UNREADABLE for missing bytes, ids used twice, unknown names, a pattern that cannot be used
 */
export function createRankTokenizer(options: RankTokenizerOptions): Tokenizer {
  const { tokens, bos, eos, pad } = options;
  const specialNames = new Map(Object.entries(options.specialTokens));
  checkTokens(tokens, specialNames);
  const idOf = (name: string | undefined) => {
    const id = name === undefined ? undefined : specialNames.get(name);
    if (name !== undefined && id === undefined) {
      throw new ElenchusError(
        "INPUT_UNREADABLE",
        `The special token ${JSON.stringify(name)} is none of ${[...specialNames.keys()].join(", ") || "(none)"}.`,
      );
    }
    return id;
  };
  const pattern = compileSplitPattern(options.pattern);
  const merge = remembering(createByteMerger(tokens));
  const before = options.before ?? (bos === undefined ? [] : [bos]);
  return createByteLevelTokenizer({
    tokens,
    specialNames,
    special: { bos: idOf(bos), eos: idOf(eos), pad: idOf(pad), unk: undefined },
    around: { before: before.map((name) => idOf(name)!), after: [] },
    chatTemplate: options.chatTemplate,
    encodeText(text) {
      const ids: number[] = [];
      for (const piece of splitPieces(text, pattern)) for (const id of merge(piece)) ids.push(id);
      return ids;
    },
    nameOf: tokenOfBytes,
  });
}

/** nanochat's special tokens, in the order of their ids, which follow those of the other tokens. */
export const NANOCHAT_SPECIAL_TOKENS = [
  "<|bos|>",
  "<|user_start|>",
  "<|user_end|>",
  "<|assistant_start|>",
  "<|assistant_end|>",
  "<|python_start|>",
  "<|python_end|>",
  "<|output_start|>",
  "<|output_end|>",
] as const;

/**
 * nanochat's tokenizer. A text begins with `<|bos|>`, an assistant's turn ends with `<|assistant_end|>`.
 * @param tokens bytes per rank, without the special tokens
 */
export function createNanochatTokenizer(tokens: readonly (Uint8Array | undefined)[]): Tokenizer {
  return createRankTokenizer({
    tokens,
    pattern: NANOCHAT_PATTERN,
    specialTokens: Object.fromEntries(
      NANOCHAT_SPECIAL_TOKENS.map((name, index) => [name, tokens.length + index]),
    ),
    bos: "<|bos|>",
    eos: "<|assistant_end|>",
  });
}

/** Pieces recur: the ids of short ones are kept, up to a number after which the memory starts anew. */
function remembering(merge: (piece: Uint8Array) => number[]): (piece: string) => readonly number[] {
  const CAPACITY = 50_000;
  const LONGEST = 64;
  const known = new Map<string, readonly number[]>();
  return (piece) => {
    const found = known.get(piece);
    if (found !== undefined) return found;
    const ids = merge(Buffer.from(piece));
    if (piece.length > LONGEST) return ids;
    if (known.size >= CAPACITY) known.clear();
    known.set(piece, ids);
    return ids;
  };
}

function checkTokens(tokens: RankTokenizerOptions["tokens"], specials: ReadonlyMap<string, number>): void {
  const singles = new Set(tokens.flatMap((bytes) => (bytes?.length === 1 ? bytes[0]! : [])));
  if (singles.size < 256) {
    throw new ElenchusError(
      "INPUT_UNREADABLE",
      `The ranks have tokens for ${singles.size} of the 256 single bytes. Expected all: without them not every text has ids.`,
    );
  }
  const taken = new Set<number>();
  for (const [name, id] of specials) {
    if (!Number.isInteger(id) || id < 0 || tokens[id] !== undefined || taken.has(id)) {
      throw new ElenchusError(
        "INPUT_UNREADABLE",
        `The special token ${JSON.stringify(name)} has the id ${id}, which is no free id. Expected one from ${tokens.length} up.`,
      );
    }
    taken.add(id);
  }
}
