import { setImmediate } from "node:timers/promises";

/** Elements between two turns of the event loop: 1 MiB of float32, one or two milliseconds. */
const BLOCK = 2 ** 18;

/** Works on an array block by block, and lets heart beats and messages in after each. */
export async function inBlocks(length: number, work: (from: number, to: number) => void): Promise<void> {
  for (let from = 0; from < length; from += BLOCK) {
    work(from, Math.min(from + BLOCK, length));
    await setImmediate();
  }
}
