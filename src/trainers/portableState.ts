import { deserialize, serialize } from "node:v8";

/** State that can leave its process, and the keys of what cannot. */
export interface PortableState {
  /** Copies: what happens to the original afterwards does not show. */
  readonly state: Map<string, unknown>;
  /** Keys of entries that were left out, in the state's order. */
  readonly dropped: string[];
}

/**
 * Copies every structured-cloneable entry. Functions, and whatever holds one, stay behind; so do
 * tensors, which would arrive as empty handles.
 */
export function portableState(state: ReadonlyMap<string, unknown>): PortableState {
  const kept = new Map<string, unknown>();
  const dropped: string[] = [];
  for (const [key, value] of state) {
    try {
      if (isTensor(value)) throw new TypeError("a tensor lives in its back end");
      kept.set(key, deserialize(serialize(value)));
    } catch {
      dropped.push(key);
    }
  }
  return { state: kept, dropped };
}

function isTensor(value: unknown): boolean {
  return typeof value === "object" && value !== null && "dataId" in value && "dtype" in value;
}
