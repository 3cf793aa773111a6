import type { Clock } from "../base/index.js";
import type { HostProgress } from "../trainers/index.js";

/** Milliseconds between two lines on one evaluator, and before the first, where lines stay. */
const LINE_EVERY = 30_000;

/** How far an evaluation is, in words. */
export function progressText({ stage, done, total, note = "", pace }: HostProgress): string {
  if (stage !== "evaluate") return `testing ${note} ${done}/${total}`;
  if (pace === undefined) return `evaluating ${note} ${done}/${total}`;
  const share = pace.total > 0 ? ` (${Math.floor((100 * pace.done) / pace.total)} %)` : "";
  const speed = pace.rate === null ? "" : `, ${shortRate(pace.rate)} a second`;
  const left = pace.timeLeft === null ? "" : `, ${durationText(pace.timeLeft)} left`;
  return `evaluating ${note}: ${pace.done} of ${pace.total}${share}${speed}${left}`;
}

/** Says which progress is worth a line that stays: of what takes long, now and then. */
export function seldomLines(clock: Clock): (progress: HostProgress) => boolean {
  let at: string | undefined;
  let next = 0;
  return ({ note, pace }) => {
    const now = clock.monotonic();
    if (note !== at) {
      at = note;
      next = now + LINE_EVERY;
    }
    if (pace === undefined || pace.done === pace.total || now < next) return false;
    next = now + LINE_EVERY;
    return true;
  };
}

function shortRate(rate: number): string {
  return rate < 10 ? rate.toPrecision(2) : rate.toFixed(0);
}

/** `45 s`, `3 min 20 s`, `2 h 5 min`. */
export function durationText(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  const minutes = Math.ceil(whole / 60);
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
