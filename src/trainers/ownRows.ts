import type { Dataset } from "../data/index.js";

/**
 * A data set to be handed out: it has all that the given one has, fields of a user's own class too, but whatever
 * is done to it, the rows themselves stay as they are. Arrays are copied once they are asked for; `batch` copies
 * anyway.
 */
export function ownRows<D extends Dataset>(dataset: D): D {
  // Values as this copy has them, whether read before or written.
  const own = new Map<PropertyKey, unknown>();
  const read = (key: PropertyKey): unknown => {
    if (!own.has(key)) own.set(key, copied(Reflect.get(dataset, key), dataset));
    return own.get(key);
  };

  // The target is empty, so that nothing frozen in the original forbids to answer with a copy.
  return new Proxy(Object.create(Object.getPrototypeOf(dataset)) as D, {
    get: (_, key) => read(key),
    has: (_, key) => own.has(key) || Reflect.has(dataset, key),
    ownKeys: () => [...new Set([...Reflect.ownKeys(dataset), ...(own.keys() as Iterable<string | symbol>)])],
    getOwnPropertyDescriptor: (_, key) => ({
      value: read(key),
      writable: true,
      enumerable: true,
      configurable: true,
    }),
    set: (_, key, value) => {
      own.set(key, value);
      return true;
    },
    defineProperty: (_, key, { value }) => {
      own.set(key, value);
      return true;
    },
    deleteProperty: (_, key) => {
      own.set(key, undefined);
      return true;
    },
  });
}

/** Methods see the original, with its private fields; what is neither array nor method is passed on. */
function copied(value: unknown, dataset: Dataset): unknown {
  if (typeof value === "function") return value.bind(dataset);
  if (Array.isArray(value)) return [...value];
  if (ArrayBuffer.isView(value) && !(value instanceof DataView)) {
    return (value as unknown as { slice(): unknown }).slice();
  }
  return value;
}
