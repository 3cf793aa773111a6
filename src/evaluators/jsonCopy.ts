/** Deeper nesting than any sensible metadata; a bound keeps a hostile value from exhausting the stack. */
const DEEPEST = 200;

/** Thrown for a value that JSON cannot carry; the message says where it stands and what it is. */
export class NotJson extends Error {}

/**
 * A deep, frozen copy of a JSON value: null, booleans, finite numbers, strings, dense arrays and plain
 * objects. Properties that are undefined are left out, as JSON does; names are data, `__proto__` included.
 * @param path where the value stands, for the error
 * @throws NotJson
 */
export function jsonCopy(value: unknown, path: string, above: readonly object[] = []): unknown {
  if (value === null || typeof value === "boolean" || typeof value === "string") return value;
  if (typeof value === "number") {
    if (Number.isFinite(value)) return value;
    throw new NotJson(`${path} is ${value}, which JSON cannot carry; leave it out or give a string`);
  }
  if (typeof value !== "object") throw new NotJson(`${path} is ${kindOf(value)}`);
  if (above.includes(value)) throw new NotJson(`${path} contains itself`);
  if (above.length >= DEEPEST) throw new NotJson(`${path} is nested more than ${DEEPEST} deep`);

  const inside = [...above, value];
  if (Array.isArray(value)) {
    return Object.freeze(Array.from(value, (item, index) => jsonCopy(item, `${path}[${index}]`, inside)));
  }
  if (!isPlainObject(value)) throw new NotJson(`${path} is ${kindOf(value)}, not a plain object`);
  const entries = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .map(([name, item]) => [name, jsonCopy(item, `${path}.${name}`, inside)] as const);
  // Object.fromEntries defines properties: a name such as `__proto__` becomes one like any other.
  return Object.freeze(Object.fromEntries(entries));
}

/** True for `{}` objects, of other realms too, and those without a prototype. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return (
    prototype === null ||
    prototype === Object.prototype ||
    Object.getPrototypeOf(prototype as object) === null
  );
}

/** What a value is, in words for a message. */
export function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (value === undefined) return "undefined";
  if (typeof value === "number") return `the number ${value}`;
  if (typeof value === "string") return `the string ${JSON.stringify(value.slice(0, 60))}`;
  if (Array.isArray(value)) return "an array";
  if (typeof value !== "object") return `a ${typeof value}`;
  if (isPlainObject(value)) return "a plain object";
  const name: unknown = (value as { constructor?: { name?: unknown } }).constructor?.name;
  return typeof name === "string" && name !== "" ? `an instance of ${name.slice(0, 60)}` : "an object";
}
