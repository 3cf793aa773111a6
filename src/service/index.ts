export { serviceContext } from "./http/serviceContext.js";
export { type RunningService, startService } from "./http/startService.js";
export {
  defineJobKind,
  type Job,
  type JobKind,
  JobService,
  type JobServiceOptions,
  type JobStages,
  JobStore,
  type JobWork,
  jobKinds,
} from "./jobs/index.js";
export { type OpenedContext, openContext, type ServiceWorld } from "./openContext.js";
export { type JobsWorld, startJobs } from "./startJobs.js";
export {
  EmbeddedStorage,
  type JsonObject,
  type JsonValue,
  openStorage,
  type Storage,
  type StoredDocument,
  type StoredRow,
} from "./storage/index.js";
