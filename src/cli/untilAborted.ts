/** Resolves when the signal aborts. Holds the process: a listener or a timer that waits may not. */
export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const hold = setInterval(() => {}, 60_000);
    const end = () => {
      clearInterval(hold);
      resolve();
    };
    if (signal.aborted) end();
    else signal.addEventListener("abort", end, { once: true });
  });
}
