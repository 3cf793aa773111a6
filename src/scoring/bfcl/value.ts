/** A value of Python's, as calls have it; kinds matter, since 1 and 1.0 are of different types. */
export type Value =
  | { readonly kind: "str"; readonly value: string }
  | { readonly kind: "int" | "float"; readonly value: number }
  | { readonly kind: "bool"; readonly value: boolean }
  | { readonly kind: "none" }
  | { readonly kind: "list" | "tuple"; readonly items: readonly Value[] }
  | { readonly kind: "dict"; readonly entries: ReadonlyMap<string, Value> };

export type Kind = Value["kind"];

/** A function's name and its arguments by name. */
export interface FunctionCall {
  readonly name: string;
  readonly given: ReadonlyMap<string, Value>;
}

export const str = (value: string): Value => ({ kind: "str", value });
export const isText = (value: Value, text: string): boolean => value.kind === "str" && value.value === text;

/** Python's `==`: numbers and truth values by their number, a list is no tuple, keys in any order. */
export function equalValues(one: Value, other: Value): boolean {
  const [a, b] = [numeric(one), numeric(other)];
  if (a !== undefined && b !== undefined) return a === b;
  if (one.kind === "str") return other.kind === "str" && one.value === other.value;
  if (one.kind === "none") return other.kind === "none";
  if (one.kind === "list" || one.kind === "tuple") {
    if (one.kind !== other.kind || one.items.length !== other.items.length) return false;
    const { items } = other;
    return one.items.every((item, place) => equalValues(item, items[place]!));
  }
  if (one.kind !== "dict" || other.kind !== "dict" || one.entries.size !== other.entries.size) return false;
  const { entries } = other;
  return [...one.entries].every(([key, value]) => {
    const found = entries.get(key);
    return found !== undefined && equalValues(value, found);
  });
}

function numeric(value: Value): number | undefined {
  return value.kind === "int" || value.kind === "float" || value.kind === "bool"
    ? Number(value.value)
    : undefined;
}

/** A JSON value; a whole number is an int, as its own text would say only before it was read. */
export function valueOfJson(json: unknown): Value {
  if (json === null || json === undefined) return { kind: "none" };
  if (typeof json === "string") return str(json);
  if (typeof json === "boolean") return { kind: "bool", value: json };
  if (typeof json === "number") return { kind: Number.isInteger(json) ? "int" : "float", value: json };
  if (Array.isArray(json)) return { kind: "list", items: json.map(valueOfJson) };
  const entries = Object.entries(json);
  if (entries.length === 1 && entries[0]![0] === FLOAT)
    return { kind: "float", value: Number(entries[0]![1]) };
  return { kind: "dict", entries: new Map(entries.map(([key, value]) => [key, valueOfJson(value)])) };
}

/** The value of JSON text, in which `1.0` is a float. @throws SyntaxError */
export function valueOfJsonText(text: string): Value {
  const marked = text.replace(TOKEN, (token) =>
    /^-?\d+(?:\.|[eE]|.*[eE])/.test(token) ? `{"${FLOAT_WRITTEN}":${token}}` : token,
  );
  return valueOfJson(JSON.parse(marked));
}

const FLOAT = "\u0000float";
const FLOAT_WRITTEN = "\\u0000float";
/** A string or a number. */
const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g;
