import type { Reader, TokenNode } from "./tokenTree.js";

/** Tokens that are read as one row of a pass. */
export interface TokenPiece {
  /** Tokens before it: those of all pieces that it goes on from. */
  readonly depth: number;
  /** At least one. */
  readonly tokens: readonly number[];
  /** In a piece that branches: by token the place of the one it follows, -1 for what comes before the piece. */
  readonly parents: readonly number[] | undefined;
  /** Who needs the logits after a token, by its place in `tokens`. */
  readonly readers: ReadonlyMap<number, readonly Reader[]>;
  /** What goes on from the end of a piece that does not branch; a cache is kept for them. */
  readonly children: readonly TokenPiece[];
}

/**
 * A row that branches may hold so many tokens: every one of them is compared with all others, which takes less than a
 * pass of its own for what they share, whose keys and values would be copied out and in again.
 */
const ROW_TOKENS = 256;

/** Branches that share nothing beyond what came before the row are put together up to so many tokens. */
const GROUP_TOKENS = 128;

/** And so much more than its longest text has. */
const ROW_SHARE = 1.25;

/** A pass of its own, and copies of what it keeps, must save this share of what it would else take to read all. */
const LEAST_SAVED = 1 / 8;

/**
 * Lays a forest out in rows. Texts that share a beginning become one row that branches, so that all is read in one
 * pass and nothing is copied; where they are too many for a row, the beginning becomes a piece that others go on
 * from.
 * @param branches whether rows may branch; else every node becomes a piece
 */
export function tokenPieces(
  forest: readonly TokenNode[],
  { branches }: { readonly branches: boolean },
): TokenPiece[] {
  if (!branches) return forest.map(unbranched);
  return forest.flatMap((node) => layOut(node, 0).map((some) => joined(some, 0)));
}

function unbranched({ children, ...node }: TokenNode): TokenPiece {
  return { ...node, parents: undefined, children: children.map(unbranched) };
}

/** A node's tokens laid out: several branches in one row, or a piece with others behind it. */
type Laid = readonly TokenNode[] | TokenPiece;

function layOut(node: TokenNode, depth: number): Laid[] {
  const { tokens, readers, children } = node;
  if (tokensOf(node) <= Math.max(ROW_TOKENS, ROW_SHARE * longestOf(node))) return [[node]];
  const saved = tokens.length * (children.length - 1);
  if (saved < LEAST_SAVED * tokensOf(node)) {
    return children.flatMap((child, index) => layOut(behind(node, child, index === 0), depth));
  }
  const below = depth + tokens.length;
  const rows = inRows(children.flatMap((child) => layOut(child, below)));
  return [{ depth, tokens, parents: undefined, readers, children: rows.map((some) => joined(some, below)) }];
}

/** A child that brings its parent's tokens; one of the children brings its readers too. */
function behind(parent: TokenNode, child: TokenNode, reads: boolean): TokenNode {
  const readers = new Map(reads ? parent.readers : []);
  for (const [place, some] of child.readers) readers.set(parent.tokens.length + place, some);
  return { ...child, depth: parent.depth, tokens: [...parent.tokens, ...child.tokens], readers };
}

/** What goes on from the same place shares rows, so that what came before is copied less often. */
function inRows(laid: readonly Laid[]): Laid[] {
  const rows: Laid[] = [];
  let open: TokenNode[] = [];
  let tokens = 0;
  for (const some of laid) {
    if (!isBranches(some)) {
      rows.push(some);
      continue;
    }
    for (const node of some) {
      const own = tokensOf(node);
      if (open.length === 0 || tokens + own > GROUP_TOKENS) {
        open = [];
        tokens = 0;
        rows.push(open);
      }
      open.push(node);
      tokens += own;
    }
  }
  return rows;
}

function joined(laid: Laid, depth: number): TokenPiece {
  if (!isBranches(laid)) return laid;
  const tokens: number[] = [];
  const parents: number[] = [];
  const readers = new Map<number, readonly Reader[]>();
  const append = (node: TokenNode, parent: number) => {
    const first = tokens.length;
    for (const [index, token] of node.tokens.entries()) {
      parents.push(index === 0 ? parent : tokens.length - 1);
      tokens.push(token);
    }
    for (const [place, some] of node.readers) readers.set(first + place, some);
    const end = tokens.length - 1;
    for (const child of node.children) append(child, end);
  };
  for (const node of laid) append(node, -1);
  const branches = parents.some((parent, place) => parent !== place - 1);
  return { depth, tokens, parents: branches ? parents : undefined, readers, children: [] };
}

function isBranches(laid: Laid): laid is readonly TokenNode[] {
  return Array.isArray(laid);
}

function tokensOf({ tokens, children }: TokenNode): number {
  return children.reduce((sum, child) => sum + tokensOf(child), tokens.length);
}

function longestOf({ tokens, children }: TokenNode): number {
  return tokens.length + children.reduce((most, child) => Math.max(most, longestOf(child)), 0);
}
