import { type Clock, ElenchusError, LONGEST_TIMER } from "../base/index.js";

/** How limited work ended, where it did not throw. */
export type Limited<T> = { ended: "done"; value: T } | { ended: "timeout" };

/**
 * Runs work for at most `milliseconds`. The work's signal aborts when the limit is reached or `outer` does;
 * what it does later is ignored, rejections included. Work that blocks its thread cannot be interrupted, but
 * its result counts as late.
 * @throws whatever the work throws in time; INTERRUPTED, or the signal's own error, when `outer` aborts
 */
export async function withinTimeLimit<T>(
  work: (signal: AbortSignal) => Promise<T>,
  { milliseconds, outer, clock }: { milliseconds: number; outer: AbortSignal | undefined; clock: Clock },
): Promise<Limited<T>> {
  const controller = new AbortController();
  const started = clock.monotonic();
  let timer: NodeJS.Timeout | undefined;
  let onStop: (() => void) | undefined;

  const limit = new Promise<Limited<T>>((settle, reject) => {
    // A longer limit is none.
    if (milliseconds <= LONGEST_TIMER) {
      timer = setTimeout(() => {
        // Settled first: the work's own reaction to the abort must not win the race.
        settle({ ended: "timeout" });
        controller.abort(
          new ElenchusError("EVALUATION_TIMEOUT", `The timeout of ${milliseconds / 1000} s is over.`),
        );
      }, milliseconds);
    }
    onStop = () => {
      reject(interrupted(outer?.reason));
      controller.abort(outer?.reason);
    };
    if (outer?.aborted) onStop();
    else outer?.addEventListener("abort", onStop, { once: true });
  });

  try {
    if (outer?.aborted) return await limit;
    const done = work(controller.signal).then((value): Limited<T> => ({ ended: "done", value }));
    const first = await Promise.race([limit, done]);
    const late = first.ended === "done" && clock.monotonic() - started > milliseconds;
    return late ? { ended: "timeout" } : first;
  } finally {
    clearTimeout(timer);
    if (onStop) outer?.removeEventListener("abort", onStop);
  }
}

/** The error of a run that was stopped: the signal's own reason where it is one of the product's. */
export function interrupted(reason: unknown): ElenchusError {
  if (reason instanceof ElenchusError) return reason;
  return new ElenchusError("INTERRUPTED", "The evaluation was stopped.", { cause: reason });
}
