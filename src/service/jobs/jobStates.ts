import type { JobStatus } from "./job.js";

/** What can happen to a job. */
export type JobEvent =
  /** A worker takes it: a new one, or one whose worker was lost or has let go of it. */
  | "claim"
  /** Its worker says that it is at work, and how far. */
  | "beat"
  /** Its worker stops in an orderly way, and another may take it. */
  | "release"
  | "complete"
  | "fail"
  | "cancel";

/** From each status, what each event leads to; what is not here cannot happen. */
const TRANSITIONS: Readonly<Record<JobStatus, Readonly<Partial<Record<JobEvent, JobStatus>>>>> = {
  scheduled: { claim: "in_progress", cancel: "cancelled" },
  in_progress: {
    claim: "in_progress",
    beat: "in_progress",
    release: "in_progress",
    complete: "completed",
    fail: "failed",
    cancel: "cancelled",
  },
  completed: {},
  failed: {},
  cancelled: {},
};

/** What a job of that status becomes; undefined where the event cannot happen to it. */
export function statusAfter(status: JobStatus, event: JobEvent): JobStatus | undefined {
  return TRANSITIONS[status][event];
}

/** Whether nothing more can happen to a job. */
export function hasEnded(status: JobStatus): boolean {
  return Object.keys(TRANSITIONS[status]).length === 0;
}
