import { DEEPEST_PATH, type KeyPath } from "./scanKeys.js";

/** Where a value was written. */
export interface Position {
  /** File as the user named it, or the name of a command-line option; null for an object from code. */
  readonly file: string | null;
  readonly line: number | null;
}

/** A configuration before it is checked: every value knows where it was written. */
export type Tree = TableTree | ListTree | LeafTree;
export interface TableTree {
  readonly kind: "table";
  readonly at: Position;
  readonly entries: Map<string, Tree>;
}
export interface ListTree {
  readonly kind: "list";
  readonly at: Position;
  readonly items: readonly Tree[];
}
export interface LeafTree {
  readonly kind: "leaf";
  readonly at: Position;
  /** What is neither table nor list; null stands for "none". Checked by `checkLeaves`. */
  readonly value: unknown;
}

/** The value at a path, undefined where the path leaves the tree. */
export function treeAt(tree: Tree, path: KeyPath): Tree | undefined {
  let here: Tree | undefined = tree;
  for (const segment of path) {
    if (here?.kind === "table") here = here.entries.get(String(segment));
    else if (here?.kind === "list") here = here.items[Number(segment)];
    else return undefined;
  }
  return here;
}

/** Position of a path, or of the nearest table or list above it that was written. */
export function positionOf(tree: Tree, path: KeyPath): Position {
  for (let length = path.length; length >= 0; length--) {
    const found = treeAt(tree, path.slice(0, length));
    if (found) return found.at;
  }
  return tree.at;
}

/** Plain data. A key whose value is none is left out; in a list none is null. */
export function plain(tree: Tree): unknown {
  if (tree.kind === "leaf") return tree.value;
  if (tree.kind === "list") return tree.items.map(plain);
  const object: Record<string, unknown> = {};
  for (const [key, value] of tree.entries) {
    if (!isNone(value)) object[key] = plain(value);
  }
  return object;
}

/** True for a value that was written as none. */
export function isNone(tree: Tree): boolean {
  return tree.kind === "leaf" && tree.value === null;
}

/** `over` laid over `base`: tables merge deeply, lists concatenate, else `over` holds. */
export function mergeTrees(base: Tree, over: Tree): Tree {
  if (base.kind === "table" && over.kind === "table") return mergeTables(base, over);
  if (base.kind === "list" && over.kind === "list") {
    return { kind: "list", at: over.at, items: [...base.items, ...over.items] };
  }
  return over;
}

/** The same of two tables. */
export function mergeTables(base: TableTree, over: TableTree): TableTree {
  const entries = new Map(base.entries);
  for (const [key, value] of over.entries) {
    const below = entries.get(key);
    entries.set(key, below === undefined ? value : mergeTrees(below, value));
  }
  return { kind: "table", at: over.at, entries };
}

/** A tree of plain data. `at` tells the position of each path. */
export function treeOf(value: unknown, at: (path: KeyPath) => Position, path: KeyPath = []): Tree {
  const position = at(path);
  if (path.length > DEEPEST_PATH) return { kind: "leaf", at: position, value: TOO_DEEP };
  if (Array.isArray(value)) {
    const items = value.map((item, place) => treeOf(item, at, [...path, place]));
    return { kind: "list", at: position, items: unwrapMixed(items) };
  }
  if (isPlainObject(value)) {
    const entries = new Map<string, Tree>();
    for (const [key, item] of Object.entries(value)) {
      if (item !== undefined) entries.set(key, treeOf(item, at, [...path, key]));
    }
    const only = entries.size === 1 ? entries.get("null") : undefined;
    if (only?.kind === "leaf" && only.value === true) return { kind: "leaf", at: position, value: null };
    return { kind: "table", at: position, entries };
  }
  return { kind: "leaf", at: position, value };
}

/** Stands for what an object from code nests deeper than any configuration, perhaps without end. */
const TOO_DEEP = Symbol("nested too deep");

function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** TOML lists of old hold one type only: a list of `{ value = x }` tables stands for a mixed one. */
function unwrapMixed(items: readonly Tree[]): readonly Tree[] {
  const inner = items.map((item) =>
    item.kind === "table" && item.entries.size === 1 ? item.entries.get("value") : undefined,
  );
  return items.length > 0 && inner.every((item) => item !== undefined) ? inner : items;
}
