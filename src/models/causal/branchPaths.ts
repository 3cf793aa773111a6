import type { Places } from "./mask.js";

/** Rows that branch, taken apart into rows that do not: a path from a row's beginning to each of its ends. */
export interface BranchPaths {
  readonly count: number;
  /** Tokens of the longest path. */
  readonly length: number;
  /** Which of the tokens each place of a path is: [count * length] indices into [batch * length]. */
  readonly tokens: Int32Array;
  /** Which keys each path sees, earlier ones first: indices into [batch * slots]. */
  readonly keys: Int32Array;
  /** Every token asks on one of its paths; on others its place is -1, and it sees nothing. */
  readonly queryPlaces: Places;
  readonly keyPlaces: Places;
  /** Where each token asked: [batch * length] indices into [count * length]. */
  readonly back: Int32Array;
}

/**
 * The paths of rows that branch. Attention works on them, and so needs no more than it always does; all else, which
 * is most of the work, is done once per token.
 * @param queries places of the tokens, [batch * length]
 * @param keys places of all tokens, earlier ones first, [batch * slots]
 * @param parents of each token the index in its row of the one it follows, [batch * length]
 * @param lengths tokens of each row that are no padding
 */
export function branchPaths(
  { queries, keys }: { queries: Places; keys: Places },
  parents: Int32Array,
  lengths: Int32Array,
): BranchPaths {
  const paths = rowPaths(parents, lengths, queries.each);
  const count = paths.length;
  const length = paths.reduce((most, { tokens }) => Math.max(most, tokens.length), 0);
  const before = keys.each - queries.each;
  const slots = before + length;
  const tokens = new Int32Array(count * length);
  const keyRows = new Int32Array(count * slots);
  const queryPlaces = new Int32Array(count * length).fill(-1);
  const keyPlaces = new Int32Array(count * slots).fill(-1);
  const back = new Int32Array(parents.length);
  const asked = new Set<number>();

  paths.forEach(({ row, tokens: path }, index) => {
    for (let slot = 0; slot < before; slot++) {
      keyRows[index * slots + slot] = row * keys.each + slot;
      keyPlaces[index * slots + slot] = keys.places[row * keys.each + slot]!;
    }
    path.forEach((token, place) => {
      const from = row * queries.each + token;
      tokens[index * length + place] = from;
      keyRows[index * slots + before + place] = row * keys.each + before + token;
      keyPlaces[index * slots + before + place] = queries.places[from]!;
      if (asked.has(from)) return;
      asked.add(from);
      queryPlaces[index * length + place] = queries.places[from]!;
      back[from] = index * length + place;
    });
  });
  return {
    count,
    length,
    tokens,
    keys: keyRows,
    back,
    queryPlaces: { rows: count, each: length, places: queryPlaces },
    keyPlaces: { rows: count, each: slots, places: keyPlaces },
  };
}

function rowPaths(parents: Int32Array, lengths: Int32Array, each: number) {
  const paths: { row: number; tokens: number[] }[] = [];
  lengths.forEach((own, row) => {
    const parentOf = (token: number) => parents[row * each + token]!;
    const followed = new Set(Array.from({ length: own }, (_, token) => parentOf(token)));
    for (let end = 0; end < own; end++) {
      if (followed.has(end)) continue;
      const tokens: number[] = [];
      for (let token = end; token >= 0; token = parentOf(token)) tokens.unshift(token);
      paths.push({ row, tokens });
    }
  });
  return paths;
}
