import { ElenchusError } from "./errors.js";
import { nearest } from "./nearest.js";

/** How an entry is registered. */
export interface RegisterOptions {
  /** Allow a taken name to be replaced. Default false. */
  replace?: boolean;
  /** One line for `elenchus list`. */
  description?: string;
}

/** A registry of named things of one kind: the same verbs and errors in every room. */
export interface Registry<T> {
  /** What the entries are, in the singular: "evaluator", "sampler". */
  readonly kind: string;
  /** @throws NAME_TAKEN without `replace`; NAME_INVALID for an empty name or one with white space at its ends. */
  register(name: string, entry: T, options?: RegisterOptions): void;
  /** Removes a name; an absent one is no error. */
  unregister(name: string): void;
  /** All names, sorted. */
  registeredNames(): string[];
  has(name: string): boolean;
  /** The entry of that name. @throws NAME_UNKNOWN with the nearest name and the whole list. */
  lookup(name: string): T;
  /** Names with their descriptions, sorted by name. */
  list(): { name: string; description: string }[];
}

/** Makes an empty registry. Names are case sensitive. */
export function createRegistry<T>(kind: string): Registry<T> {
  const entries = new Map<string, { entry: T; description: string }>();

  const registeredNames = () => [...entries.keys()].sort();

  return {
    kind,
    register(name, entry, { replace = false, description = "" } = {}) {
      if (typeof name !== "string" || name === "" || name !== name.trim()) {
        throw new ElenchusError(
          "NAME_INVALID",
          `${JSON.stringify(name)} cannot be the name of a ${kind}: expected a non-empty string without white space at its ends.`,
        );
      }
      if (entries.has(name) && !replace) {
        throw new ElenchusError(
          "NAME_TAKEN",
          `A ${kind} named "${name}" is already registered. Choose another name, or pass { replace: true } to replace it.`,
        );
      }
      entries.set(name, { entry, description });
    },
    unregister(name) {
      entries.delete(name);
    },
    registeredNames,
    has: (name) => entries.has(name),
    lookup(name) {
      const found = entries.get(name);
      if (found) return found.entry;
      throw unknownName(kind, name, registeredNames());
    },
    list: () => registeredNames().map((name) => ({ name, description: entries.get(name)!.description })),
  };
}

/**
 * The registry of a kind for this process, even where the package is loaded twice: a user's `.ts` in a folder
 * without `"type": "module"` is loaded as CommonJS and gets a copy of its own, whose registries nobody would ask.
 * @param fill registers what is built in, once
 */
export function sharedRegistry<T>(kind: string, fill: (registry: Registry<T>) => void): Registry<T> {
  return onePerProcess(`registry of ${kind}`, () => {
    const registry = createRegistry<T>(kind);
    fill(registry);
    return registry;
  });
}

/** The value of that name for this process, made on first use: the same for every copy of the package. */
export function onePerProcess<V>(name: string, make: () => V): V {
  const key = Symbol.for(`elenchus/1 ${name}`);
  const held = globalThis as unknown as Record<symbol, V | undefined>;
  held[key] ??= make();
  return held[key];
}

/** The error for a name that a registry does not hold. */
export function unknownName(kind: string, name: string, registered: string[]): ElenchusError {
  const suggestion = nearest(name, registered);
  const hint = suggestion === undefined ? "" : ` Did you mean "${suggestion}"?`;
  return new ElenchusError(
    "NAME_UNKNOWN",
    `No such ${kind}: "${name}".${hint} Registered: ${registered.length > 0 ? registered.join(", ") : "none"}.`,
    { details: { kind, name, registered, suggestion: suggestion ?? null } },
  );
}
