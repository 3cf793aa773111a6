import type { ConfigIssue } from "../issue.js";
import { REQUIRED_SECTIONS, SECTIONS, type Section } from "../schema/config.js";
import { readToml } from "./readToml.js";
import { type Position, plain, type TableTree, type Tree, treeOf } from "./tree.js";

/** What the command line changes. */
export interface Overrides {
  set?: readonly string[];
  seed?: number;
  base?: string;
}

/** Lays the command line over a tree: the seed, the base path, then each `--set` in its order. */
export function applyOverrides(
  tree: TableTree,
  { set = [], seed, base }: Overrides,
): { tree: TableTree; issues: ConfigIssue[] } {
  const issues: ConfigIssue[] = [];
  let result: Tree = tree;
  const put = (path: readonly string[], value: Tree, given: string) => {
    const changed: Tree | undefined = putAt(result, path, value);
    if (changed) result = changed;
    else
      issues.push(fault(value.at, given, "a key inside a table; a list takes places: evaluation.0.limit=5"));
  };

  if (seed !== undefined) {
    const value = leafOf(seed, "--seed");
    for (const section of SEEDED) {
      // A section that must be there and is not is reported as missing, not half made.
      const missing = !tree.entries.has(section) && REQUIRED_SECTIONS.includes(section);
      if (!missing) put([section, "random_seed"], value, `${section}.random_seed`);
    }
  }
  if (base !== undefined) put(["general", "base_path"], leafOf(base, "--base"), "general.base_path");
  for (const given of set) {
    const parsed = parseSet(given);
    if (parsed) put(parsed.path, parsed.value, given);
    else issues.push(fault(SET, given, "section.key=value"));
  }
  return { tree: result as TableTree, issues };
}

const SEEDED = (Object.keys(SECTIONS) as Section[]).filter((name) => "random_seed" in SECTIONS[name].shape);

const SET: Position = { file: "--set", line: null };

/** `section.key=value`: the key is a TOML key, the value TOML or else the text itself. */
function parseSet(given: string): { path: string[]; value: Tree } | undefined {
  const [, keyText, valueText] = /^((?:"[^"]*"|'[^']*'|[^="'\n])+)=(.*)$/s.exec(given) ?? [];
  if (keyText === undefined || valueText === undefined) return undefined;
  const key = readToml(`${keyText} = 0`, null);
  if ("code" in key) return undefined;
  const path: string[] = [];
  for (let here: Tree | undefined = key; here?.kind === "table"; ) {
    const [entry]: [string, Tree][] = [...here.entries];
    if (entry === undefined) break;
    path.push(entry[0]);
    here = entry[1];
  }
  const value = readToml(`value = ${valueText}`, null);
  const read = "code" in value || value.entries.size !== 1 ? undefined : value.entries.get("value");
  return { path, value: treeOf(read === undefined ? valueText.trim() : plain(read), () => SET) };
}

/** The tree with a value put at a path; tables on the way are made. Undefined where the path cannot be. */
function putAt(tree: Tree | undefined, path: readonly string[], value: Tree): Tree | undefined {
  const [head, ...rest] = path;
  if (head === undefined) return value;
  if (tree === undefined || tree.kind === "table") {
    const below = putAt(tree?.entries.get(head), rest, value);
    if (below === undefined) return undefined;
    const entries = new Map(tree?.entries).set(head, below);
    return { kind: "table", at: tree?.at ?? value.at, entries };
  }
  if (tree.kind === "list" && /^\d+$/.test(head) && Number(head) < tree.items.length) {
    const below = putAt(tree.items[Number(head)], rest, value);
    if (below === undefined) return undefined;
    return { ...tree, items: tree.items.with(Number(head), below) };
  }
  return undefined;
}

function leafOf(value: unknown, option: string): Tree {
  return { kind: "leaf", at: { file: option, line: null }, value };
}

function fault(at: Position, given: string, expected: string): ConfigIssue {
  // Without the value, which may be a secret.
  const [key = ""] = given.split("=");
  return { code: "CONFIG_VALUE", ...at, key, value: null, expected, suggestion: null };
}
