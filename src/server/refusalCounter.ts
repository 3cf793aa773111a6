import type { RefusalCode } from "../protocol/index.js";

/** Counts what was turned away. */
export interface RefusalCounter {
  count(code: RefusalCode): void;
  /** By code; codes that never occurred are absent. */
  counts(): Record<string, number>;
}

export function createRefusalCounter(): RefusalCounter {
  const counted = new Map<RefusalCode, number>();
  return {
    count(code) {
      counted.set(code, (counted.get(code) ?? 0) + 1);
    },
    counts: () => Object.fromEntries(counted),
  };
}
