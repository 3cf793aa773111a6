import { isDeepStrictEqual } from "node:util";
import type { ZodType } from "zod";
import { expectationOf, messageOf, nearest, ownWords } from "../../base/index.js";
import type { KeyPath } from "../reading/scanKeys.js";
import { platoKey } from "../schema/platoAdvice.js";
import type { Fields } from "./checkFields.js";
import type { Report } from "./report.js";

/** A table of options and where it stands. */
export interface OptionsTable {
  /** Declared by whatever the options are for. It may stem from another copy of zod. */
  schema: ZodType;
  values: Record<string, unknown>;
  path: KeyPath;
  /** Keys that the table may hold beside the schema's, for suggestions. */
  otherKeys?: readonly string[];
  /** What reads the options, for messages: `optimizer "SGD"`. */
  reader: string;
}

/**
 * Checks a table of options by the schema its reader declares. A key that the schema does not name is an
 * error only where the schema is strict; else it passes through untouched. A value that a schema refuses with
 * `params: { unsupported: true }` is one that is known and asks for what is not there.
 * @returns the table with its defaults filled in, or as it was when there are faults
 */
export function checkOptions(table: OptionsTable, report: Report): Record<string, unknown> {
  const { schema, values, path, reader } = table;
  const shape = shapeOf(schema);
  const known = [...Object.keys(shape ?? {}), ...(table.otherKeys ?? [])];
  const parsed = parse(table, report);
  if (parsed === undefined) return values;
  if (parsed.success) return { ...values, ...resolved(schema, values, parsed.data) };

  const unknown = new Set<string>();
  const dropped = new Set<string>();
  for (const issue of parsed.error.issues) {
    if (issue.code === "unrecognized_keys" && issue.path.length === 0) {
      for (const key of issue.keys) unknown.add(key);
      continue;
    }
    const inner = issue.path.filter((segment) => typeof segment !== "symbol");
    const field = inner.length === 1 ? shape?.[String(inner[0])] : undefined;
    const own = field === undefined ? issue.message : ownWords(issue);
    const expected = own === undefined ? expectationOf(field!) : withoutPreamble(own);
    if (issue.code === "custom" && issue.params?.unsupported === true && inner.length === 1) {
      dropped.add(String(inner[0]));
      report.dropped("CONFIG_UNSUPPORTED", [...path, ...inner], { expected });
      continue;
    }
    const missing = inner.length > 0 && valueAt(values, inner) === undefined;
    report.error(missing ? "CONFIG_MISSING_KEY" : "CONFIG_VALUE", [...path, ...inner], { expected });
  }
  for (const key of unknown) {
    const plato = platoKey(path.join("."), key);
    if (plato !== undefined) {
      report.dropped("CONFIG_UNSUPPORTED", [...path, key], { expected: plato });
      continue;
    }
    report.dropped("CONFIG_UNKNOWN_KEY", [...path, key], {
      expected: `an option of ${reader}: ${known.join(", ")}`,
      suggestion: nearest(key, known),
    });
  }
  const rest = Object.fromEntries(
    Object.entries(values).filter(([key]) => !unknown.has(key) && !dropped.has(key)),
  );
  const again = schema.safeParse(rest);
  return again.success ? { ...rest, ...resolved(schema, rest, again.data) } : values;
}

/**
 * Checks what a schema says of a section as a whole. Its fields have been checked one by one, and the section
 * holds keys of others too, so only its rules across fields count here.
 */
export function checkWhole(
  schema: ZodType,
  values: Record<string, unknown>,
  section: string,
  report: Report,
): void {
  const parsed = parse({ schema, values, path: [section], reader: `what [${section}] names` }, report);
  for (const { code, path, message } of parsed?.error?.issues ?? []) {
    const inner = path.filter((segment) => typeof segment !== "symbol");
    if (code === "custom") report.error("CONFIG_CONFLICT", [section, ...inner], { expected: message });
  }
}

/**
 * What of a parsed value may stand in the configuration. Its reader parses it again, in another process: it
 * stays as it was written if its parsed form is not JSON or would not be taken a second time.
 */
export function resolved<T>(schema: ZodType, written: T, parsed: unknown): T {
  const again = schema.safeParse(parsed);
  const stable = again.success && isDeepStrictEqual(again.data, parsed) && isJson(parsed);
  return stable ? (parsed as T) : written;
}

function isJson(value: unknown): boolean {
  if (value === null || typeof value === "string" || typeof value === "boolean") return true;
  if (typeof value === "number") return Number.isFinite(value);
  if (Array.isArray(value)) return value.every(isJson);
  return (
    typeof value === "object" &&
    Object.getPrototypeOf(value) === Object.prototype &&
    Object.values(value).every((item) => item === undefined || isJson(item))
  );
}

/** The fields of an object schema, undefined where it is none. */
export function shapeOf(schema: ZodType | undefined): Fields | undefined {
  const shape = (schema as { shape?: unknown } | undefined)?.shape;
  return typeof shape === "object" && shape !== null ? (shape as Fields) : undefined;
}

/** A schema may be a user's: one that throws is a fault like any other. */
function parse({ schema, values, path, reader }: OptionsTable, report: Report) {
  try {
    return schema.safeParse(values);
  } catch (error) {
    report.error("CONFIG_VALUE", path, {
      expected: `options that the schema of ${reader} can judge; it failed: ${messageOf(error)}`,
    });
    return undefined;
  }
}

function withoutPreamble(message: string): string {
  return message
    .replace(/^Invalid (?:input|option): expected /, "")
    .replace(/^Too (?:small|big): expected /, "")
    .replace(/^expected /, "");
}

function valueAt(values: unknown, path: readonly (string | number)[]): unknown {
  let value = values;
  for (const key of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string | number, unknown>)[key];
  }
  return value;
}
