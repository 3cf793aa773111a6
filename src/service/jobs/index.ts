export {
  JOB_STATUSES,
  type Job,
  type JobKind,
  type JobProgress,
  type JobStages,
  type JobStatus,
  type JobWork,
} from "./job.js";
export { defineJobKind, jobKinds } from "./jobKinds.js";
export { JobLogs, type LogLine } from "./jobLogs.js";
export { JobService, type JobServiceOptions, type JobServiceSettings } from "./jobService.js";
export { hasEnded, type JobEvent, statusAfter } from "./jobStates.js";
export { type JobListOptions, type JobRequest, JobStore, rowsOfJob } from "./jobStore.js";
export { JobWorker, type JobWorkerOptions } from "./jobWorker.js";
export { storedStages } from "./storedStages.js";
