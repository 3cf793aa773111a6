import { withDeadline } from "../../base/index.js";

/**
 * Waits for work that heeds a signal; once that has aborted at most `grace` more seconds. Work that does not heed
 * it is then left to itself.
 * @throws what the work throws; DEADLINE_EXCEEDED
 */
export async function untilStopped<T>(work: Promise<T>, signal: AbortSignal, grace: number): Promise<T> {
  let onAbort = () => {};
  const stopped = new Promise<void>((resolve) => {
    onAbort = resolve;
    if (signal.aborted) resolve();
  });
  signal.addEventListener("abort", onAbort, { once: true });
  const late = stopped.then(() => withDeadline(work, grace * 1000, "Work that was told to stop"));
  // Nobody waits for it when the work ends in time.
  late.catch(() => {});
  try {
    return await Promise.race([work, late]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
