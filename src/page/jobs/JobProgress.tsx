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
  const known = total !== null && total > 0;
  const ended = job.status === "completed" ? 1 : 0;
  return (
    <div class="progress">
      <progress
        aria-label={`Progress of ${job.job_id}`}
        max={known ? total : 1}
        value={known ? done : active ? undefined : ended}
      />
      <span class="progress-words">{words.join(" · ")}</span>
    </div>
  );
}
