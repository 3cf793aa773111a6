import type { ZodType, z } from "zod";
import { ElenchusError } from "./errors.js";
import { expectationAt, ownWords } from "./expectation.js";
import { nearest } from "./nearest.js";

/**
 * Parses a table of options at the door of whatever declared the schema.
 * @param where how the user knows the table, for example `[parameters.optimizer] of SGD`
 * @throws CONFIG_INVALID with every fault: the key, what was found, what was expected; for an unknown key
 *   the nearest known one and all of them
 */
export function parseOptions<S extends ZodType>(schema: S, table: unknown, where: string): z.output<S> {
  const parsed = schema.safeParse(table);
  if (parsed.success) return parsed.data;
  const faults = optionFaults(parsed.error, table, { known: knownKeys(schema) });
  throw new ElenchusError("CONFIG_INVALID", `${where}: ${faults.join("; ")}.`, {
    details: { where, faults },
  });
}

/**
 * Every fault that a schema found: the key, what was found, what was expected; for an unknown key the nearest known one.
 */
export function optionFaults(
  { issues }: z.ZodError,
  table: unknown,
  { known, within = [], schema }: FaultOptions = {},
): string[] {
  return issues.flatMap((issue) => {
    const path = [...within, ...issue.path];
    if (issue.code === "unrecognized_keys") {
      return issue.keys.map((key) => unknownKey([...path, key].join("."), known));
    }
    const key = path.join(".");
    const expected = wordsOf(issue, schema);
    if (key === "") return [expected];
    const value = valueAt(table, issue.path);
    return [value === undefined ? `${key} is missing: ${expected}` : `${key} = ${show(value)}: ${expected}`];
  });
}

/** How faults are told. */
export interface FaultOptions {
  /** Keys that there are, for suggestions. */
  readonly known?: readonly string[];
  /** Where the table itself stands. */
  readonly within?: readonly string[];
  /** What was parsed by: what is expected is then said in the words of the configuration. */
  readonly schema?: ZodType;
}

/** In the words of the schema's author where there are some. */
function wordsOf(issue: z.core.$ZodIssue, schema: ZodType | undefined): string {
  if (schema === undefined) return withoutValue(issue);
  const own = ownWords(issue)?.replace(/^expected /, "");
  const expectation = own ?? expectationAt(schema, issue.path);
  return expectation === undefined ? withoutValue(issue) : `expected ${expectation}`;
}

/** What a fault says was expected: `a name`, `string`, `one of "a"|"b"`. */
export function expectedBy(issue: z.core.$ZodIssue): string {
  return issue.code === "invalid_union" ? "another value" : withoutValue(issue).replace(/^expected /, "");
}

/** The value is shown in front; what zod says of it would say it twice. */
function withoutValue({ message }: z.core.$ZodIssue): string {
  return message
    .replace(/^(Invalid input|Invalid option|Invalid string|Too small|Too big): /, "")
    .replace(/, received \w+$/, "");
}

/** The keys of an object schema, in its order; none where it is another kind of schema. */
function knownKeys(schema: ZodType): string[] {
  const shape = (schema as { shape?: unknown }).shape;
  return typeof shape === "object" && shape !== null ? Object.keys(shape) : [];
}

function unknownKey(key: string, known: readonly string[] | undefined): string {
  if (known === undefined) return `unknown key "${key}"`;
  const suggestion = nearest(key, known);
  const hint = suggestion === undefined ? "" : ` Did you mean "${suggestion}"?`;
  return `unknown key "${key}".${hint} Known: ${known.length > 0 ? known.join(", ") : "none"}`;
}

function valueAt(table: unknown, path: readonly PropertyKey[]): unknown {
  let value = table;
  for (const key of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<PropertyKey, unknown>)[key];
  }
  return value;
}

/** A request may hold megabytes in one value: enough of it is shown to be known again. */
const LONGEST_VALUE = 200;

function show(value: unknown): string {
  // JSON has no word for numbers that are none.
  const text = typeof value === "number" ? String(value) : (JSON.stringify(value) ?? String(value));
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}...` : text;
}
