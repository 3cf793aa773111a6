import type { ErrorCode } from "../base/index.js";

/** Codes of what can be wrong with a configuration; each stands in the error catalogue. */
export type IssueCode = Extract<
  ErrorCode,
  `CONFIG_${string}` | "NAME_UNKNOWN" | "PATH_UNWRITABLE" | "EVALUATION_CONFIG" | "DATA_INVALID"
>;

/** One thing that is wrong with a configuration, in the form in which `check --json` prints it. */
export interface ConfigIssue {
  readonly code: IssueCode;
  /** File as the user named it, `--set`, `--seed` or `--base` for an option, null for an object from code. */
  readonly file: string | null;
  /** From 1; null where no line can be named. */
  readonly line: number | null;
  /** Dotted key, list places in brackets: `server.port`, `evaluation[1].type`. */
  readonly key: string;
  /** What was found; null when nothing was. */
  readonly value: unknown;
  /** What was expected, as the end of a sentence. */
  readonly expected: string;
  /** Nearest known key or name; null when none is near. */
  readonly suggestion: string | null;
}
