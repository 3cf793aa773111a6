import type { Clock } from "./clock.js";

/** How far something is, and how fast it gets on. */
export interface Pace {
  readonly done: number;
  readonly total: number;
  /** A second; null before anything can be said of it. */
  readonly rate: number | null;
  /** Seconds that the rest takes at this rate; null where it is not known. */
  readonly timeLeft: number | null;
}

/** Milliseconds over which the rate is taken: long requests come first, so what was long ago says little. */
const WINDOW = 30_000;
/** Milliseconds between two moments that are remembered. */
const STEP = 250;

/** Makes a rate, and a time that is left, of how much is done from moment to moment. */
export class ProgressMeter {
  readonly #clock: Clock;
  /** Oldest first. */
  readonly #moments: { readonly at: number; readonly worked: number }[];

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#moments = [{ at: clock.monotonic(), worked: 0 }];
  }

  /**
   * @param done of `total`, those that were `known` before included
   * @param known how many of those took no time
   */
  at(done: number, total: number, known = 0): Pace {
    const now = this.#clock.monotonic();
    const worked = done - known;
    const moments = this.#moments;
    while (moments.length > 1 && moments[1]!.at <= now - WINDOW) moments.shift();
    const [first] = moments;
    const seconds = (now - first!.at) / 1000;
    const gained = worked - first!.worked;
    const rate = seconds > 0 && gained > 0 ? gained / seconds : null;
    if (now - moments.at(-1)!.at >= STEP) moments.push({ at: now, worked });
    const left = total - done;
    return { done, total, rate, timeLeft: left === 0 ? 0 : rate === null ? null : left / rate };
  }
}
