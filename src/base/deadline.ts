import { ElenchusError } from "./errors.js";

/** The longest delay a Node timer takes, in milliseconds; a longer one would fire at once. */
export const LONGEST_TIMER = 2 ** 31 - 1;

/**
 * Waits for a promise at most `milliseconds`. The promise itself is not stopped: pass the work an
 * AbortSignal for that.
 * @param what what was waited for, as the subject of the error message
 * @throws DEADLINE_EXCEEDED
 */
export async function withDeadline<T>(promise: Promise<T>, milliseconds: number, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    if (milliseconds > LONGEST_TIMER) return;
    timer = setTimeout(() => {
      reject(new ElenchusError("DEADLINE_EXCEEDED", `${what} took longer than ${milliseconds / 1000} s.`));
    }, milliseconds);
  });
  try {
    return await Promise.race([promise, limit]);
  } finally {
    clearTimeout(timer);
  }
}
