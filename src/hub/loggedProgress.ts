import type { HubEnvironment, HubProgress } from "./hubRequest.js";

/**
 * Says in the log how far a download is, with the time that is left, and that it is done; where it takes long enough
 * for anybody to ask.
 */
export function loggedProgress({
  logger,
  clock,
}: Pick<HubEnvironment, "logger" | "clock">): (progress: HubProgress) => void {
  const begun = new Map<string, { at: number; said: number; received: number }>();
  return ({ file, received, total }) => {
    const now = clock.monotonic();
    const start = begun.get(file) ?? { at: now, said: now, received };
    begun.set(file, start);
    const done = total !== undefined && received >= total;
    if (!done && now - start.said < EVERY) return;
    if (done && start.said === start.at) return;
    start.said = now;
    const rate = (received - start.received) / Math.max(1, now - start.at);
    const left =
      total === undefined || rate === 0 ? "" : `, ${Math.ceil((total - received) / rate / 1000)} s left`;
    const of = total === undefined ? "" : ` of ${megabytes(total)}`;
    logger.info(`${file}: ${megabytes(received)}${of} MB${done ? "" : left}`);
  };
}

/** Milliseconds between two lines. */
const EVERY = 2_000;

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}
