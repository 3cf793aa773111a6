/** A shell pattern over paths in a repository: `*` any characters, `/` too, `?` one, `[abc]` and `[!abc]` one of a set. */
export function matchesPattern(path: string, pattern: string): boolean {
  return new RegExp(`^${pattern.replace(/\[!?[^\]]+\]|[\s\S]/gu, translated)}$`, "su").test(path);
}

function translated(part: string): string {
  if (part === "*") return ".*";
  if (part === "?") return ".";
  if (part.length > 2 && part.startsWith("[")) {
    const negated = part[1] === "!";
    const members = part.slice(negated ? 2 : 1, -1).replace(/[\\^[\]]/g, "\\$&");
    return `[${negated ? "^" : ""}${members}]`;
  }
  return part.replace(/[\^$\\.*+?()[\]{}|/]/g, "\\$&");
}
