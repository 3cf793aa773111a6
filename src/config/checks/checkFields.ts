import type { ZodType, z } from "zod";
import { expectationOf, expectedBy, keysAt, nearest, ownWords } from "../../base/index.js";
import type { IssueCode } from "../issue.js";
import type { KeyPath } from "../reading/scanKeys.js";
import { isNone, plain, type TableTree } from "../reading/tree.js";
import { platoValue } from "../schema/platoAdvice.js";
import type { Report } from "./report.js";

/** Fields by key, as a zod object holds them in `shape`. */
export type Fields = Readonly<Record<string, ZodType>>;

/**
 * Parses the fields of one table, each by itself, so that one fault hides no other. Keys that are no fields
 * are left alone.
 * @returns the fields that hold a usable value, defaults included, in the order of the schema
 */
export function checkFields(
  table: TableTree,
  fields: Fields,
  path: KeyPath,
  report: Report,
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [key, field] of Object.entries(fields)) {
    const written = table.entries.get(key);
    const given = written === undefined || isNone(written) ? undefined : plain(written);
    const parsed = field.safeParse(given);
    if (parsed.success) {
      if (parsed.data !== undefined) values[key] = parsed.data;
      continue;
    }
    const deep = parsed.error.issues.filter(isDeep);
    for (const issue of deep) deepFault(issue, { path: [...path, key], schema: field }, report);
    if (deep.length === parsed.error.issues.length) continue;
    const own = parsed.error.issues.map(ownWords).find((words) => words !== undefined);
    const code = codeOf(field, given);
    const advice = code === "CONFIG_UNSUPPORTED" ? platoValue(path.join("."), key) : undefined;
    const expected = own ?? expectationOf(field);
    report.error(code, [...path, key], {
      expected: advice === undefined ? expected : `${expected}; ${advice}`,
    });
  }
  return values;
}

/** A fault within a list or a table: what the field takes as a whole does not name it. */
function isDeep({ code, path }: z.core.$ZodIssue): boolean {
  if (code === "unrecognized_keys") return true;
  return path.length > (code === "custom" ? 0 : 1);
}

/**
 * Told where it stands. An unknown key is an error even where others are dropped, for without its entry a list would mean
 * something else: tokens are who may ask.
 */
function deepFault(issue: z.core.$ZodIssue, field: { path: KeyPath; schema: ZodType }, report: Report): void {
  const path = [...field.path, ...issue.path.map((part) => (typeof part === "number" ? part : String(part)))];
  if (issue.code !== "unrecognized_keys") {
    report.error("CONFIG_VALUE", path, { expected: ownWords(issue) ?? expectedBy(issue) });
    return;
  }
  const known = keysAt(field.schema, issue.path);
  for (const key of issue.keys) {
    report.error("CONFIG_UNKNOWN_KEY", [...path, key], {
      expected: known.length === 0 ? "no such key" : `one of ${known.join(", ")}`,
      suggestion: nearest(key, known),
    });
  }
}

function codeOf(field: ZodType, given: unknown): IssueCode {
  if (given === undefined) return "CONFIG_MISSING_KEY";
  return field.meta?.()?.notYet?.includes(given) ? "CONFIG_UNSUPPORTED" : "CONFIG_VALUE";
}
