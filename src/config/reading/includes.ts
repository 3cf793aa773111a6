import { readFileSync, realpathSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import type { ConfigIssue } from "../issue.js";
import { readToml } from "./readToml.js";
import { mergeTables, type Position, plain, type TableTree, type Tree } from "./tree.js";

/** What was read, or what kept it from being read. */
export interface ReadResult {
  tree: TableTree | null;
  issues: ConfigIssue[];
  /** Files read, as the user named them. */
  sources: string[];
}

/** Reads a file and everything that it includes. */
export function readFileTree(path: string): ReadResult {
  const reader = createReader();
  return reader.result(reader.file(path, { file: path, line: null }, []));
}

/** Puts included files into a tree. @param folder what its includes are relative to */
export function readIncludes(tree: TableTree, folder: string): ReadResult {
  const reader = createReader();
  return reader.result(reader.expand(tree, folder, []));
}

/**
 * An `include` may stand in any table: one file or several, relative to the file that names them. Their tables
 * are merged deeply and their lists concatenated, in order; the including file is laid over the result.
 */
function createReader() {
  const issues: ConfigIssue[] = [];
  const sources: string[] = [];

  /** @param chain real paths of the files that include this one, outermost first */
  const file = (path: string, by: Position, chain: readonly string[]): TableTree | null => {
    const fail = (expected: string) => {
      const main = chain.length === 0 && by.line === null && by.file === path;
      const named = main ? { key: "", value: null } : { key: "include", value: path };
      issues.push({ code: "CONFIG_UNREADABLE", ...by, ...named, expected, suggestion: null });
      return null;
    };
    let real: string;
    let text: string;
    try {
      real = realpathSync(path);
      if (chain.includes(real)) return fail("is circular: that file is already being read");
      text = readFileSync(real, "utf8");
    } catch (error) {
      return fail(`cannot be read (${reasonOf(error)}); expected a TOML file`);
    }
    if (!sources.includes(path)) sources.push(path);
    const tree = readToml(text, path);
    if ("code" in tree) {
      issues.push(tree);
      return null;
    }
    return expand(tree, dirname(path), [...chain, real]);
  };

  const expand = (table: TableTree, folder: string, chain: readonly string[]): TableTree => {
    const entries = new Map<string, Tree>();
    for (const [key, value] of table.entries) {
      if (key !== "include") entries.set(key, expandAny(value, folder, chain));
    }
    const own: TableTree = { kind: "table", at: table.at, entries };
    const include = table.entries.get("include");
    if (include === undefined) return own;
    let below: TableTree = { kind: "table", at: table.at, entries: new Map() };
    for (const { path, at } of included(include)) {
      const found = file(isAbsolute(path) ? path : join(folder, path), at, chain);
      if (found) below = mergeTables(below, found);
    }
    return mergeTables(below, own);
  };

  const expandAny = (tree: Tree, folder: string, chain: readonly string[]): Tree => {
    if (tree.kind === "table") return expand(tree, folder, chain);
    if (tree.kind === "list") {
      return { ...tree, items: tree.items.map((item) => expandAny(item, folder, chain)) };
    }
    return tree;
  };

  const included = (include: Tree): { path: string; at: Position }[] => {
    const items = include.kind === "list" ? include.items : [include];
    return items.flatMap((item) => {
      if (item.kind === "leaf" && typeof item.value === "string" && item.value !== "") {
        return [{ path: item.value, at: item.at }];
      }
      issues.push({
        code: "CONFIG_VALUE",
        ...item.at,
        key: "include",
        value: plain(item),
        expected: "a file name or a list of file names",
        suggestion: null,
      });
      return [];
    });
  };

  return {
    file,
    expand,
    result: (tree: TableTree | null): ReadResult => ({
      tree: issues.length > 0 ? null : tree,
      issues,
      sources,
    }),
  };
}

function reasonOf(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === "ENOENT") return "no such file";
  if (code === "EISDIR") return "it is a folder";
  if (code === "EACCES") return "no permission";
  return code ?? "unknown reason";
}
