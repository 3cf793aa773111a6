import { constants } from "node:os";

/** Ctrl-C, the end of a service, a terminal that was closed. */
const STOPPING = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Exit status of a process that a signal ended in an orderly way. */
export function signalStatus(signal: NodeJS.Signals): number {
  return 128 + (constants.signals[signal] ?? 0);
}

/** What a piece of work that can be stopped gave, and the signal that stopped it, if one did. */
export interface Stoppable<T> {
  readonly value: T;
  readonly received: NodeJS.Signals | null;
}

/**
 * Does a piece of work that Ctrl-C, SIGTERM and SIGHUP end in an orderly way: they abort its signal, and what it
 * then does is up to it. A second one ends the process at once.
 */
export async function stoppable<T>(
  work: (stop: AbortController, received: () => NodeJS.Signals | null) => Promise<T>,
  notice: (signal: NodeJS.Signals) => void = () => {},
): Promise<Stoppable<T>> {
  const stop = new AbortController();
  let received: NodeJS.Signals | null = null;
  const onSignal = (signal: NodeJS.Signals) => {
    if (received !== null) process.exit(signalStatus(signal));
    received = signal;
    notice(signal);
    stop.abort(`stopped by ${signal}`);
  };
  for (const name of STOPPING) process.on(name, onSignal);
  try {
    const value = await work(stop, () => received);
    return { value, received };
  } finally {
    for (const name of STOPPING) process.off(name, onSignal);
  }
}
