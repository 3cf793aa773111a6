export { serviceContext } from "./http/serviceContext.js";
export { type RunningService, startService } from "./http/startService.js";
export { type OpenedContext, openContext, type ServiceWorld } from "./openContext.js";
export { type JobsWorld, startJobs } from "./startJobs.js";
