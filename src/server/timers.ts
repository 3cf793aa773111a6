import { LONGEST_TIMER } from "../base/index.js";

/** A timer that can be started again and stopped. */
export interface DeadlineTimer {
  /** Starts it, or starts it again. */
  start(seconds: number, onDeadline: () => void): void;
  stop(): void;
}

export function createDeadlineTimer(): DeadlineTimer {
  let timer: NodeJS.Timeout | undefined;
  return {
    start(seconds, onDeadline) {
      clearTimeout(timer);
      timer = setTimeout(onDeadline, Math.min(seconds * 1000, LONGEST_TIMER));
    },
    stop: () => clearTimeout(timer),
  };
}
