import type { ConfigIssue, IssueCode } from "../issue.js";
import type { KeyPath } from "../reading/scanKeys.js";
import { plain, positionOf, type Tree, treeAt } from "../reading/tree.js";

/** What was expected of a key, and what may have been meant. */
export interface Fault {
  expected: string;
  suggestion?: string | undefined;
}

/** Collects what the checks find; file, line and value of a key are looked up here. */
export interface Report {
  readonly errors: ConfigIssue[];
  readonly warnings: ConfigIssue[];
  error(code: IssueCode, path: KeyPath, fault: Fault): void;
  warning(code: IssueCode, path: KeyPath, fault: Fault): void;
  /** An error, or a warning under `--lenient`: for keys that are unknown or not supported yet. */
  dropped(code: IssueCode, path: KeyPath, fault: Fault): void;
}

/** Where a key was written, and what: in a file, on the command line, in an object. */
export type Written = (path: KeyPath) => Pick<ConfigIssue, "file" | "line" | "value">;

/** What was written in a tree; null for one that could not be read. */
export function writtenIn(tree: Tree | null): Written {
  return (path) => {
    const found = tree === null ? undefined : treeAt(tree, path);
    const { file, line } = tree === null ? { file: null, line: null } : positionOf(tree, path);
    return {
      file,
      line,
      value: found === undefined ? null : shown(plain(found), path.at(-1), path.includes("tokens")),
    };
  };
}

/** A fault at a key, with its place. */
export function issueAt(
  written: Written,
  code: IssueCode,
  path: KeyPath,
  { expected, suggestion }: Fault,
): ConfigIssue {
  return { code, ...written(path), key: keyName(path), expected, suggestion: suggestion ?? null };
}

/** @param written where positions and values are looked up */
export function createReport(written: Written, lenient: boolean): Report {
  const errors: ConfigIssue[] = [];
  const warnings: ConfigIssue[] = [];
  const add = (list: ConfigIssue[]) => (code: IssueCode, path: KeyPath, fault: Fault) => {
    const found = issueAt(written, code, path, fault);
    // A value that two checks refuse is one fault.
    const known = list.some(({ key, code: other }) => key === found.key && code === other);
    if (!known || !ONCE_PER_KEY.includes(code)) list.push(found);
  };
  return {
    errors,
    warnings,
    error: add(errors),
    warning: add(warnings),
    dropped: add(lenient ? warnings : errors),
  };
}

const ONCE_PER_KEY: readonly IssueCode[] = ["CONFIG_VALUE", "CONFIG_MISSING_KEY"];

/** `server.port`, `evaluation[1].type`; names that are not bare are quoted. */
export function keyName(path: KeyPath): string {
  return path
    .map((segment, place) => {
      if (typeof segment === "number") return `[${segment}]`;
      const name = /^[A-Za-z0-9_-]+$/.test(segment) ? segment : JSON.stringify(segment);
      return place === 0 ? name : `.${name}`;
    })
    .join("");
}

/** Keys whose values are never shown, wherever they stand: a mistyped section still holds the secret. */
const SECRETS = new Set(["token", "access_key", "secret_key", "database", "queue"]);

/** All that is shown of who may ask: a mistyped key still holds the secret. */
const SHOWN_OF_TOKENS = new Set(["tokens", "name", "scopes", "env", "file"]);

/** A value as JSON can carry it. @param key where it stands @param ofTokens whether that is among the tokens */
function shown(value: unknown, key?: string | number, ofTokens = key === "tokens"): unknown {
  if (typeof key === "string") {
    if (SECRETS.has(key) || (ofTokens && !SHOWN_OF_TOKENS.has(key))) return "(hidden)";
  }
  if (Array.isArray(value)) return value.map((item) => shown(item, undefined, ofTokens));
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  // JSON has no negative zero.
  if (typeof value === "number") return Number.isFinite(value) ? value + 0 : String(value);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? "a date" : value.toISOString();
  if (typeof value === "object" && Object.getPrototypeOf(value) === Object.prototype) {
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [name, shown(item, name, ofTokens || name === "tokens")]),
    );
  }
  if (typeof value === "bigint") return String(value);
  return typeof value === "symbol" ? String(value.description) : `a JavaScript ${typeof value}`;
}
