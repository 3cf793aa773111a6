import toml from "@iarna/toml";
import { messageOf } from "../../base/index.js";
import type { ConfigIssue } from "../issue.js";
import { DEEPEST_PATH, type KeyPath, pathKey, scanKeys } from "./scanKeys.js";
import { type TableTree, treeOf } from "./tree.js";

/** Text longer than this is no configuration. */
const LONGEST_TEXT = 1024 ** 2;

/**
 * Reads TOML text: values by @iarna/toml, lines by the key scanner.
 * @param file name for positions, null when the text has none
 * @returns the tree, or the one fault that keeps the text from being read
 */
export function readToml(text: string, file: string | null): TableTree | ConfigIssue {
  if (text.length > LONGEST_TEXT) {
    return unreadable(file, null, `is ${text.length} characters long; expected at most ${LONGEST_TEXT}`);
  }
  // Some editors write a byte-order mark and CRLF; the parser takes neither everywhere.
  const source = text.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n");
  const lines = scanKeys(source);
  const refusal = refusedKey(lines);
  if (refusal) return unreadable(file, refusal.line, refusal.reason);
  try {
    const at = (path: KeyPath) => ({ file, line: lines.get(pathKey(path)) ?? null });
    return treeOf(toml.parse(source), at) as TableTree;
  } catch (error) {
    return syntaxFault(error, file);
  }
}

/** A fault of a file itself, which is what `expected` then tells. */
function unreadable(file: string | null, line: number | null, expected: string): ConfigIssue {
  return { code: "CONFIG_UNREADABLE", file, line, key: "", value: null, expected, suggestion: null };
}

/**
 * Names that no key may have. The parser takes `toString` for the method of that name and writes into it, so
 * they never reach it.
 */
export const INHERITED_NAMES: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Object.prototype));

function refusedKey(lines: ReadonlyMap<string, number>): { line: number; reason: string } | undefined {
  for (const [key, line] of lines) {
    const path = JSON.parse(key) as (string | number)[];
    const name = path.at(-1);
    if (typeof name === "string" && INHERITED_NAMES.has(name)) {
      return { line, reason: `"${name}" cannot be a key; choose another name` };
    }
    if (path.length > DEEPEST_PATH) {
      return { line, reason: `nested deeper than ${DEEPEST_PATH} levels; no key of the configuration is` };
    }
  }
  return undefined;
}

/** The parser's message is `what at row R, col C, pos P:` and an excerpt; its line counts from 0. */
function syntaxFault(error: unknown, file: string | null): ConfigIssue {
  const [what = ""] = messageOf(error).split(/ at row \d+, col \d+/);
  const { line, col } = error as { line?: unknown; col?: unknown };
  const place = typeof col === "number" ? ` at column ${col + 1}` : "";
  return unreadable(file, typeof line === "number" ? line + 1 : null, `not TOML${place}: ${what.trim()}`);
}
