import { createHeap } from "./heap.js";

/** Makes ids of a piece of text, given as bytes. */
export type ByteMerger = (piece: Uint8Array) => number[];

/** Pairs whose merged token is remembered; beyond that the memory starts anew. */
const REMEMBERED_PAIRS = 1_000_000;

interface Candidate {
  readonly rank: number;
  /** Place of the left part in the piece, and the parts as they were when the candidate was found. */
  readonly place: number;
  readonly left: number;
  readonly right: number;
}

/**
 * Byte-pair encoding by ranks (Sennrich et al. 2016, as tiktoken has it): of all neighbouring parts whose bytes
 * together are a token, those with the lowest rank become one, the leftmost first, until none are left.
 * The id of a token is its rank. Every single byte that occurs must be a token.
 * @param tokens bytes per id; a gap is no token
 */
export function createByteMerger(tokens: readonly (Uint8Array | undefined)[]): ByteMerger {
  const idOf = new Map<string, number>();
  tokens.forEach((bytes, id) => {
    const key = bytes === undefined ? "" : keyOf(bytes);
    if (key !== "" && !idOf.has(key)) idOf.set(key, id);
  });
  const size = tokens.length;
  let merged = new Map<number, number>();

  /** The id of two parts together, or -1. */
  const together = (left: number, right: number): number => {
    const pair = left * size + right;
    const known = merged.get(pair);
    if (known !== undefined) return known;
    const id = idOf.get(keyOf(tokens[left]!) + keyOf(tokens[right]!)) ?? -1;
    if (merged.size >= REMEMBERED_PAIRS) merged = new Map();
    merged.set(pair, id);
    return id;
  };

  return (piece) => {
    const whole = idOf.get(keyOf(piece));
    if (whole !== undefined) return [whole];

    const parts = Int32Array.from(piece, (byte) => {
      const id = idOf.get(String.fromCharCode(byte));
      if (id === undefined) throw new RangeError(`no token for the byte ${byte}`);
      return id;
    });
    const following = Int32Array.from(parts, (_, place) => place + 1);
    const preceding = Int32Array.from(parts, (_, place) => place - 1);
    const candidates = createHeap<Candidate>((one, other) =>
      one.rank === other.rank ? one.place < other.place : one.rank < other.rank,
    );
    const consider = (place: number) => {
      const next = following[place]!;
      if (next >= parts.length) return;
      const left = parts[place]!;
      const right = parts[next]!;
      const rank = together(left, right);
      if (rank >= 0) candidates.push({ rank, place, left, right });
    };
    for (let place = 0; place < parts.length; place++) consider(place);

    for (let best = candidates.pop(); best !== undefined; best = candidates.pop()) {
      const { place, left, right, rank } = best;
      const next = following[place]!;
      if (parts[place] !== left || next >= parts.length || parts[next] !== right) continue;
      parts[place] = rank;
      parts[next] = -1;
      following[place] = following[next]!;
      if (following[place]! < parts.length) preceding[following[place]!] = place;
      if (preceding[place]! >= 0) consider(preceding[place]!);
      consider(place);
    }
    return [...parts.filter((id) => id >= 0)];
  };
}

/** Bytes as a string with a character each, which a map can hold. */
function keyOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
}
