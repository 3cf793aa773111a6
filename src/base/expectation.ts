import { type ZodType, z } from "zod";

/** What a schema accepts, in words: "an integer from 0 to 65535". */
export function expectationOf(schema: ZodType): string {
  const unit = schema.meta?.()?.unit;
  return `${inWords(jsonSchemaOf(schema))}${unit === undefined ? "" : `, in ${unit}`}`;
}

/**
 * What a schema wants at a place inside what it describes, in words; undefined where its JSON Schema does not say.
 * @param path of keys and places
 */
export function expectationAt(schema: ZodType, path: readonly PropertyKey[]): string | undefined {
  let at: JsonSchema | undefined = jsonSchemaOf(schema);
  for (const key of path) at = at && within(at, key);
  const words = at && inWords(at);
  return words === UNKNOWN ? undefined : words;
}

/** The keys that a schema knows at a place inside what it describes. */
export function keysAt(schema: ZodType, path: readonly PropertyKey[]): string[] {
  let at: JsonSchema | undefined = jsonSchemaOf(schema);
  for (const key of path) at = at && within(at, key);
  return Object.keys(at?.properties ?? {});
}

/** What a schema's author says of a value that it refuses; undefined where the words are zod's. */
export function ownWords({
  code,
  message,
}: {
  readonly code: string;
  readonly message: string;
}): string | undefined {
  if (code === "custom") return message;
  return code === "invalid_format" && !message.startsWith("Invalid ") ? message : undefined;
}

/** The JSON Schema of what may be written; `{}` for a schema that has none. */
export function jsonSchemaOf(schema: ZodType): JsonSchema {
  try {
    return z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as JsonSchema;
  } catch {
    // A user's schema may come from another version of zod.
    return {};
  }
}

/** The parts of a JSON Schema that are read here. */
export interface JsonSchema {
  type?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  additionalProperties?: JsonSchema | boolean;
  minLength?: number;
  pattern?: string;
  format?: string;
  minItems?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  [key: string]: unknown;
}

function within(schema: JsonSchema, key: PropertyKey): JsonSchema | undefined {
  if (typeof key === "number") return schema.items;
  const { properties, additionalProperties: others } = schema;
  const name = String(key);
  if (properties !== undefined && Object.hasOwn(properties, name)) return properties[name];
  return typeof others === "object" ? others : undefined;
}

/** Said of what nothing is known. */
const UNKNOWN = "another value";

function inWords(schema: JsonSchema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return `one of ${schema.enum.map((value) => JSON.stringify(value)).join(", ")}`;
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return [...new Set(choices.map(inWords))].join(" or ");
  switch (schema.type) {
    case "string":
      return textInWords(schema);
    case "null":
      return "null";
    case "boolean":
      return "true or false";
    case "integer":
      return numberInWords("integer", "an", schema);
    case "number":
      return numberInWords("number", "a", schema);
    case "array":
      return listInWords(schema);
    case "object":
      return "a table";
    default:
      return UNKNOWN;
  }
}

function textInWords({ format, pattern, minLength = 0 }: JsonSchema): string {
  if (format === "uri") return "an address";
  if (pattern !== undefined) return `a string that matches ${pattern}`;
  return minLength > 0 ? "a non-empty string" : "a string";
}

function listInWords({ items, minItems = 0 }: JsonSchema): string {
  const list = minItems > 0 ? "a non-empty list" : "a list";
  if (items?.enum !== undefined)
    return `${list} of ${items.enum.map((one) => JSON.stringify(one)).join(", ")}`;
  return items?.type === undefined ? list : `${list} of ${items.type}s`;
}

function numberInWords(noun: string, article: string, schema: JsonSchema): string {
  // Integers without a bound carry those of a double, which say nothing to a reader.
  const bound = (value: number | undefined) =>
    value === undefined || Math.abs(value) === Number.MAX_SAFE_INTEGER ? undefined : value;
  const low = bound(schema.minimum);
  const high = bound(schema.maximum);
  const above = schema.exclusiveMinimum;
  const below = schema.exclusiveMaximum;
  if (above === 0 && high === undefined && below === undefined) return `a positive ${noun}`;
  if (low !== undefined && high !== undefined) return `${article} ${noun} from ${low} to ${high}`;
  const limits = [
    low === undefined ? "" : `of at least ${low}`,
    above === undefined ? "" : `above ${above}`,
    high === undefined ? "" : `of at most ${high}`,
    below === undefined ? "" : `below ${below}`,
  ].filter((limit) => limit !== "");
  return limits.length === 0 ? `${article} ${noun}` : `${article} ${noun} ${limits.join(" and ")}`;
}
