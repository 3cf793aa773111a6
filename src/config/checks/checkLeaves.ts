import { INHERITED_NAMES } from "../reading/readToml.js";
import type { KeyPath } from "../reading/scanKeys.js";
import type { Tree } from "../reading/tree.js";
import type { Report } from "./report.js";

/**
 * Every value must be one that JSON carries unchanged, since the configuration is sent to workers and stored:
 * no NaN, no infinity, no integer beyond 2^53, no date, no function.
 */
export function checkLeaves(tree: Tree, report: Report, path: KeyPath = []): void {
  if (tree.kind === "table") {
    for (const [key, value] of tree.entries) {
      if (INHERITED_NAMES.has(key)) {
        report.error("CONFIG_VALUE", [...path, key], {
          expected: "another name: every object inherits this one",
        });
      }
      checkLeaves(value, report, [...path, key]);
    }
    return;
  }
  if (tree.kind === "list") {
    for (const [place, item] of tree.items.entries()) checkLeaves(item, report, [...path, place]);
    return;
  }
  const expected = expectedOf(tree.value);
  if (expected !== undefined) report.error("CONFIG_VALUE", path, { expected });
}

function expectedOf(value: unknown): string | undefined {
  if (typeof value === "string" || typeof value === "boolean" || value === null) return undefined;
  if (typeof value === "number") return Number.isFinite(value) ? undefined : "a finite number";
  if (typeof value === "bigint") return "an integer between -(2^53 - 1) and 2^53 - 1";
  if (value instanceof Date) return "a string in quotes; dates have no meaning here";
  return "a string, number, boolean, list or table, nested at most 100 deep";
}
