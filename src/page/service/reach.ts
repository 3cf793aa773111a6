import { useEffect, useState } from "preact/hooks";

/** Waits before looking whether the service is back, in milliseconds: the first, and the longest. */
const [FIRST_WAIT, LONGEST_WAIT] = [1_000, 10_000];

/** Before a service that is back is asked again, and one that was only slow, in milliseconds. */
export const SETTLING = 500;

const listeners = new Set<() => void>();
let away = false;

/** Somebody has heard of the service, or has found that it cannot be reached: then it is looked for until it is back. */
export function tellReach(reached: boolean): void {
  if (away === !reached) return;
  away = !reached;
  for (const listener of [...listeners]) listener();
  if (away) lookAgain(FIRST_WAIT);
}

/** Whether the service cannot be reached. */
export function useAway(): boolean {
  const [, update] = useState(0);
  useEffect(() => listen(() => update((count) => count + 1)), []);
  return away;
}

/** Resolves once the service can be reached again; at once where it can, or when nobody waits any more. */
export async function whenBack(signal: AbortSignal): Promise<void> {
  if (!away || signal.aborted) return;
  await new Promise<void>((resolve) => {
    const stop = listen(done);
    signal.addEventListener("abort", done);
    function done() {
      if (away && !signal.aborted) return;
      stop();
      signal.removeEventListener("abort", done);
      resolve();
    }
  });
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

function lookAgain(wait: number): void {
  setTimeout(async () => {
    if (!away) return;
    const there = await fetch("healthz", { signal: AbortSignal.timeout(LONGEST_WAIT) }).then(
      () => true,
      () => false,
    );
    if (there) tellReach(true);
    else lookAgain(Math.min(LONGEST_WAIT, wait * 2));
  }, wait);
}
