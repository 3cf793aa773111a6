import type { JobDetails, JobReply } from "../../api/index.js";
import type { Job } from "../jobs/index.js";

/** A job as the routes show it. */
export function jobReply({
  id,
  kind,
  status,
  progress,
  created_at,
  started_at,
  ended_at,
  error,
}: Job): JobReply {
  return { job_id: id, kind, status, progress, created_at, started_at, ended_at, error };
}

/** With its request and its result. */
export function jobDetails(job: Job): JobDetails {
  return { ...jobReply(job), params: { ...job.params }, result: job.result };
}
