import type { Clock } from "../base/index.js";
import type { Progress } from "../protocol/index.js";
import type { HostProgress } from "../trainers/index.js";
import { finiteOrNull, type Work } from "./work.js";

/** Milliseconds between two reports. */
const PAUSE = 200;

/** Passes on how far training is, not more often than a person can read. */
export function createProgressReport(
  work: Work,
  clock: Clock,
  send: (message: Progress) => void,
): (progress: HostProgress) => void {
  let last = Number.NEGATIVE_INFINITY;
  return ({ stage, done, total, note }) => {
    const now = clock.monotonic();
    if (stage !== "train" || (now - last < PAUSE && done < total)) return;
    last = now;
    const loss = note === undefined ? null : finiteOrNull(Number(note));
    send({ round: work.round, client_id: work.clientId, done, total, loss });
  };
}
