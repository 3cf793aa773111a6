import { BYTES_BY_CHARACTER } from "./byteAlphabet.js";
import { createHeap } from "./heap.js";
import { compileSplitPattern, GPT2_PATTERN } from "./splitPattern.js";

/** How a byte-level vocabulary is learnt. */
export interface BytePairTrainingOptions {
  /** Ids in all: 256 bytes, merges, special tokens. Fewer come out where the texts have no more pairs. */
  readonly vocabularySize: number;
  /** How texts are cut into pieces that tokens never cross. Default GPT-2's. */
  readonly pattern?: string;
  /** Names of the special tokens; they get the last ids, in this order. Default none. */
  readonly specialTokens?: readonly string[];
  /** A pair that occurs less often is not merged. Default 2. */
  readonly minFrequency?: number;
  /**
   * Ids of the single bytes: `gpt2` (default), in the order of GPT-2's byte characters, or `value`, the byte
   * itself, as tiktoken's and nanochat's trainer have it.
   */
  readonly byteOrder?: "gpt2" | "value";
}

/** A learnt vocabulary. */
export interface TrainedBytePairs {
  /** Bytes per id, special tokens left out: the single bytes, then one token per merge that made a new one. */
  readonly tokens: readonly Uint8Array[];
  /** The pairs of ids that were merged, in order. */
  readonly merges: readonly (readonly [left: number, right: number])[];
  readonly pattern: string;
  /** Ids by name, behind those of `tokens`. */
  readonly specialTokens: Readonly<Record<string, number>>;
}

/**
 * Learns a byte-level vocabulary (Sennrich et al. 2016; bytes as in GPT-2): the pair of neighbouring tokens that
 * occurs most often becomes one, until there are enough. Of equally frequent pairs the one with the smaller left
 * id is taken, then the one with the smaller right id; so the same texts in any order give the same vocabulary.
 * Counts are kept up to date merge by merge, the next pair comes from a heap.
 * @throws RangeError for a vocabulary that does not even hold the bytes and special tokens
 */
export function trainBytePairs(texts: Iterable<string>, options: BytePairTrainingOptions): TrainedBytePairs {
  const { pattern = GPT2_PATTERN, specialTokens = [], minFrequency = 2, byteOrder = "gpt2" } = options;
  const size = options.vocabularySize - specialTokens.length;
  if (!Number.isInteger(size) || size < 256 || size > LARGEST) {
    throw new RangeError(
      `A vocabulary of ${options.vocabularySize} with ${specialTokens.length} special tokens leaves ${size} for the 256 bytes and the merges; expected 256 to ${LARGEST}.`,
    );
  }
  const byteOfId = byteOrder === "gpt2" ? BYTES_BY_CHARACTER : Array.from({ length: 256 }, (_, byte) => byte);
  const words = countWords(texts, compileSplitPattern(pattern), byteOfId);
  const { tokens, merges } = learnMerges(words, byteOfId, size, minFrequency);
  return {
    tokens,
    merges,
    pattern,
    specialTokens: Object.fromEntries(specialTokens.map((name, index) => [name, tokens.length + index])),
  };
}

/** Two ids make one number that a double holds exactly. */
const LARGEST = 2 ** 26;

interface Word {
  /** Shrinks as its tokens are merged. */
  readonly ids: number[];
  readonly count: number;
}

/** Pieces with more than one byte, each with the number of times it occurs. */
function countWords(texts: Iterable<string>, pattern: RegExp, byteOfId: readonly number[]): Word[] {
  const counts = new Map<string, number>();
  const count = (piece: string) => {
    if (piece.length > 0) counts.set(piece, (counts.get(piece) ?? 0) + 1);
  };
  for (const text of texts) {
    let position = 0;
    pattern.lastIndex = 0;
    for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
      if (match.index > position) count(text.slice(position, match.index));
      count(match[0]);
      position = match.index + match[0].length;
      if (match[0] === "") pattern.lastIndex++;
    }
    count(text.slice(position));
  }
  const idOfByte = new Int32Array(256);
  byteOfId.forEach((byte, id) => {
    idOfByte[byte] = id;
  });
  const words: Word[] = [];
  for (const [piece, times] of counts) {
    const ids = Array.from(Buffer.from(piece), (byte) => idOfByte[byte]!);
    if (ids.length > 1) words.push({ ids, count: times });
  }
  return words;
}

/** A pair and where it occurs. */
interface Pair {
  readonly left: number;
  readonly right: number;
  count: number;
  /** Numbers of words in which it occurs or once did. */
  readonly words: Set<number>;
}

/** A pair with the count that it had when it was put on the heap. */
interface Entry {
  readonly pair: Pair;
  readonly count: number;
}

function learnMerges(
  words: readonly Word[],
  byteOfId: readonly number[],
  size: number,
  minFrequency: number,
) {
  const tokens = byteOfId.map((byte) => Uint8Array.of(byte));
  const idOfToken = new Map(tokens.map((bytes, id) => [keyOf(bytes), id]));
  const merges: [number, number][] = [];
  const pairs = new Map<number, Pair>();
  const pairOf = (left: number, right: number): Pair => {
    const key = left * LARGEST + right;
    let pair = pairs.get(key);
    if (pair === undefined) {
      pair = { left, right, count: 0, words: new Set() };
      pairs.set(key, pair);
    }
    return pair;
  };
  words.forEach(({ ids, count }, word) => {
    for (let place = 0; place + 1 < ids.length; place++) {
      const pair = pairOf(ids[place]!, ids[place + 1]!);
      pair.count += count;
      pair.words.add(word);
    }
  });
  const heap = createHeap<Entry>((one, other) => {
    if (one.count !== other.count) return one.count > other.count;
    if (one.pair.left !== other.pair.left) return one.pair.left < other.pair.left;
    return one.pair.right < other.pair.right;
  });
  for (const pair of pairs.values()) heap.push({ pair, count: pair.count });

  while (tokens.length < size) {
    const best = heap.pop();
    if (best === undefined) break;
    const { pair } = best;
    if (pair.count !== best.count) {
      // Merges since then have taken some of it away: it waits anew with what is left.
      if (pair.count >= minFrequency && pair.count < best.count) heap.push({ pair, count: pair.count });
      continue;
    }
    if (pair.count < Math.max(1, minFrequency)) break;

    const bytes = Buffer.concat([tokens[pair.left]!, tokens[pair.right]!]);
    // Other pairs may have made the same bytes before: then the token they made is used.
    const known = idOfToken.get(keyOf(bytes));
    const merged = known ?? tokens.length;
    if (known === undefined) {
      tokens.push(new Uint8Array(bytes));
      idOfToken.set(keyOf(bytes), merged);
    }
    merges.push([pair.left, pair.right]);

    const grown = new Set<Pair>();
    for (const word of pair.words) {
      mergeInWord(words[word]!, pair, merged, (left, right, change) => {
        const changed = pairOf(left, right);
        changed.count += change;
        if (change > 0) {
          changed.words.add(word);
          grown.add(changed);
        }
      });
    }
    pair.words.clear();
    for (const changed of grown) {
      if (changed !== pair && changed.count > 0) heap.push({ pair: changed, count: changed.count });
    }
  }
  return { tokens, merges };
}

/** Merges a pair wherever it stands in a word, from left to right, and tells how the pairs around it change. */
function mergeInWord(
  { ids, count }: Word,
  { left, right }: Pair,
  merged: number,
  change: (left: number, right: number, by: number) => void,
): void {
  let kept = 0;
  for (let place = 0; place < ids.length; place++) {
    if (ids[place] !== left || ids[place + 1] !== right) {
      ids[kept++] = ids[place]!;
      continue;
    }
    const before = kept > 0 ? ids[kept - 1]! : undefined;
    const after = place + 2 < ids.length ? ids[place + 2]! : undefined;
    change(left, right, -count);
    if (before !== undefined) {
      change(before, left, -count);
      change(before, merged, count);
    }
    if (after !== undefined) {
      change(right, after, -count);
      change(merged, after, count);
    }
    ids[kept++] = merged;
    place++;
  }
  ids.length = kept;
}

function keyOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
}
