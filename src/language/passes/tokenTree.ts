import type { TokenRow } from "../tokenRows.js";

/** Tokens that rows share, and what comes after them. */
export interface TokenNode {
  /** Tokens before it, those of all its ancestors. */
  readonly depth: number;
  /** Its own; at least one. */
  readonly tokens: readonly number[];
  /** Who needs the logits after a token, by its place in `tokens`. */
  readonly readers: ReadonlyMap<number, readonly Reader[]>;
  readonly children: readonly TokenNode[];
}

/** A token whose log probability is wanted. */
export interface Reader {
  readonly row: number;
  /** Place in the continuation. */
  readonly place: number;
  readonly token: number;
}

/**
 * A forest of what rows read, so that what several begin with is read once. The last token of a row is scored,
 * not read.
 * @param leastShared tokens that rows must share beyond their parent to be worth a pass of their own; infinite:
 *   only rows that read the very same tokens share
 */
export function tokenForest(rows: readonly TokenRow[], leastShared: number): TokenNode[] {
  const readings = rows.map(
    ({ context, continuation }, row): Reading => ({
      tokens: [...context, ...continuation.slice(0, -1)],
      readers: continuation.map((token, place) => ({
        at: context.length - 1 + place,
        reader: { row, place, token },
      })),
    }),
  );
  return grow(merged(readings.sort(byTokens)), 0, leastShared);
}

/** Tokens to read, and after which of them logits are wanted. */
interface Reading {
  readonly tokens: readonly number[];
  readonly readers: readonly { readonly at: number; readonly reader: Reader }[];
}

function byTokens({ tokens: one }: Reading, { tokens: other }: Reading): number {
  const at = sharedLength(one, other);
  return at < Math.min(one.length, other.length) ? one[at]! - other[at]! : one.length - other.length;
}

/** Readings of the same tokens as one. */
function merged(sorted: readonly Reading[]): Reading[] {
  const distinct: Reading[] = [];
  for (const reading of sorted) {
    const last = distinct.at(-1);
    if (last === undefined || byTokens(last, reading) !== 0) distinct.push(reading);
    else distinct[distinct.length - 1] = { ...last, readers: [...last.readers, ...reading.readers] };
  }
  return distinct;
}

/** @param sorted distinct, and alike in their first `depth` tokens, behind which each has more */
function grow(sorted: readonly Reading[], depth: number, leastShared: number): TokenNode[] {
  const nodes: TokenNode[] = [];
  for (let start = 0; start < sorted.length; ) {
    let end = start + 1;
    while (
      end < sorted.length &&
      sharedLength(sorted[end - 1]!.tokens, sorted[end]!.tokens) >= depth + leastShared
    ) {
      end++;
    }
    const group = sorted.slice(start, end);
    // Sorted as they are, the first and the last share least.
    const shared = sharedLength(group[0]!.tokens, group.at(-1)!.tokens);
    const longer = group.filter(({ tokens }) => tokens.length > shared);
    nodes.push({
      depth,
      tokens: group[0]!.tokens.slice(depth, shared),
      readers: readersWithin(group, depth, shared),
      children: grow(longer, shared, leastShared),
    });
    start = end;
  }
  return nodes;
}

function readersWithin(group: readonly Reading[], from: number, to: number): Map<number, Reader[]> {
  const found = new Map<number, Reader[]>();
  for (const { readers } of group) {
    for (const { at, reader } of readers) {
      if (at < from || at >= to) continue;
      const others = found.get(at - from);
      if (others) others.push(reader);
      else found.set(at - from, [reader]);
    }
  }
  return found;
}

/** How many tokens two rows begin with alike. */
export function sharedLength(one: readonly number[], other: readonly number[]): number {
  const most = Math.min(one.length, other.length);
  let length = 0;
  while (length < most && one[length] === other[length]) length++;
  return length;
}
