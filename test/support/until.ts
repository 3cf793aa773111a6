import { setTimeout as pause } from "node:timers/promises";

/** Waits until `look` finds something; fails after `seconds`. */
export async function until<T>(look: () => T | undefined, what: string, seconds = 60): Promise<T> {
  for (const deadline = performance.now() + seconds * 1000; performance.now() < deadline; await pause(20)) {
    const found = look();
    if (found !== undefined) return found;
  }
  throw new Error(`${what} did not come about in ${seconds} s`);
}
