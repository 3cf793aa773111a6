/**
 * The one rule that turns a name into part of a CSV column: lower case, every run of characters outside
 * `[a-z0-9]` becomes one `_`, none at the ends. May be empty: of a name of emoji nothing is left, and the
 * caller decides what that means.
 */
export function columnName(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^_|_$/g, "");
}
