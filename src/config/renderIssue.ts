import type { ConfigIssue } from "./issue.js";

/**
 * One line for people, for example
 * `configs/a.toml:12: server.prot = 8000: unknown key. Did you mean "port"?`
 */
export function renderIssue(issue: ConfigIssue): string {
  const place = [issue.file, issue.line].filter((part) => part !== null).join(":");
  const found = issue.value === null ? issue.key : `${issue.key} = ${shown(issue.value)}`;
  const hint = issue.suggestion === null ? "" : ` Did you mean ${JSON.stringify(issue.suggestion)}?`;
  return [place, found, `${statement(issue)}.${hint}`].filter((part) => part !== "").join(": ");
}

/** All of them, a line each. */
export function renderIssues(issues: readonly ConfigIssue[]): string {
  return issues.map(renderIssue).join("\n");
}

function statement(issue: ConfigIssue): string {
  switch (issue.code) {
    case "CONFIG_UNKNOWN_KEY":
      return issue.suggestion === null ? `unknown key; expected ${issue.expected}` : "unknown key";
    case "CONFIG_UNSUPPORTED":
      return `known but not supported yet; expected ${issue.expected}`;
    case "CONFIG_MISSING_KEY":
      return `missing; expected ${issue.expected}`;
    case "CONFIG_UNREADABLE":
    case "CONFIG_NO_EFFECT":
      return issue.expected;
    case "NAME_UNKNOWN":
      return `unknown name; expected ${issue.expected}`;
    default:
      return `expected ${issue.expected}`;
  }
}

const LONGEST_VALUE = 60;

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}...` : text;
}
