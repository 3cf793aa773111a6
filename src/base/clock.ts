/** Where times come from, so that tests and simulated time can put their own in its place. */
export interface Clock {
  /** Milliseconds since 1970-01-01 UTC. */
  now(): number;
  /** Milliseconds on a clock that never goes back; only differences mean anything. */
  monotonic(): number;
}

/** The machine's clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
};

/** A clock that moves only when told to. */
export function manualClock(start = 0): Clock & { advance(milliseconds: number): void } {
  let elapsed = 0;
  return {
    now: () => start + elapsed,
    monotonic: () => elapsed,
    advance(milliseconds) {
      elapsed += milliseconds;
    },
  };
}
