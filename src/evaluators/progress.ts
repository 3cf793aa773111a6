import { type Clock, type Pace, ProgressMeter } from "../base/index.js";
import type { EvaluationInput } from "./evaluationInput.js";

/** Milliseconds between two words on how far an evaluator is. */
const PAUSE = 250;

/** What an evaluator tells how far it is: not more often than a person can read, and always of its end. */
export function progressOf(
  name: string,
  { onProgress, clock }: { onProgress: ((name: string, pace: Pace) => void) | undefined; clock: Clock },
): EvaluationInput["progress"] {
  if (onProgress === undefined) return undefined;
  const meter = new ProgressMeter(clock);
  let next = Number.NEGATIVE_INFINITY;
  return (done, total, known) => {
    const now = clock.monotonic();
    if (now < next && done < total) return;
    next = now + PAUSE;
    onProgress(name, meter.at(done, total, known));
  };
}
