import { setImmediate } from "node:timers/promises";

/** Bytes to read between two turns: to check or to fold them takes about a millisecond. */
const BYTES_PER_TURN = 1024 ** 2;
/** What a short piece counts as at least, for the work around it. */
const SHORTEST_PIECE = 16 * 1024;

/** Told how many bytes were read, gives what to wait for before the next ones, if anything. */
export type Turns = (bytes: number) => Promise<void> | undefined;

/**
 * Lets the event loop turn every now and then while bytes are read that are at hand: waiting for them takes no
 * time, so that heart beats and messages would wait until the last one is read, of whichever payload.
 */
export function createTurns(): Turns {
  let read = 0;
  return (bytes) => {
    read += Math.max(bytes, SHORTEST_PIECE);
    if (read < BYTES_PER_TURN) return undefined;
    read = 0;
    return setImmediate();
  };
}
