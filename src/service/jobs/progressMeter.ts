import type { Clock } from "../../base/index.js";
import type { JobProgress } from "./job.js";

/** Makes rate and time left out of counts. The first count is where this worker began. */
export class ProgressMeter {
  readonly #clock: Clock;
  #begin: { done: number; time: number } | undefined;
  #progress: JobProgress;

  constructor(clock: Clock, before: JobProgress) {
    this.#clock = clock;
    this.#progress = { ...before, rate: null, time_left: null };
  }

  get progress(): JobProgress {
    return this.#progress;
  }

  /** @param total absent: as before */
  count(done: number, total: number | null = this.#progress.total): void {
    const time = this.#clock.monotonic();
    this.#begin ??= { done, time };
    const seconds = (time - this.#begin.time) / 1000;
    const rate = done > this.#begin.done && seconds > 0 ? (done - this.#begin.done) / seconds : null;
    const left = rate === null || total === null ? null : Math.max(0, total - done) / rate;
    this.#progress = { done, total, rate, time_left: left };
  }
}
