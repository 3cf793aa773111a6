import type { JobReply } from "../../api/jobs.js";
import { shownNumber } from "../parts/numbers.js";
import { shownSpan } from "../parts/times.jsx";

/** Whether a job may still move. */
export function isActive({ status }: Pick<JobReply, "status">): boolean {
  return status === "scheduled" || status === "in_progress";
}

/** How far a job is: a bar, and the numbers beside it. */
export function JobProgress({ job }: { job: Pick<JobReply, "job_id" | "status" | "progress"> }) {
  const { done, total, rate, time_left: left } = job.progress;
  const active = isActive(job);
  const words = [
    total === null ? `${done} rows` : `${done} of ${total}`,
    ...(active && rate !== null ? [`${shownNumber(Number(rate.toFixed(rate < 10 ? 2 : 0)))}/s`] : []),
    ...(active && left !== null ? [`${shownSpan(left)} left`] : []),
  ];
  return (
    <div class="progress">
      <progress
        aria-label={`Progress of ${job.job_id}`}
        max={total === null || total === 0 ? 1 : total}
        value={total === null ? (active ? undefined : 1) : total === 0 ? 1 : done}
      />
      <span class="progress-words">{words.join(" · ")}</span>
    </div>
  );
}
