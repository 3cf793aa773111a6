import { BatchStore } from "../batches/batchStore.js";
import type { JobService } from "../jobs/index.js";
import type { ServiceMeans } from "../serviceMeans.js";

/** What the routes work with. */
export interface ServiceContext extends ServiceMeans {
  readonly jobs: JobService;
  readonly batches: BatchStore;
}

/** The context of routes that hand their work to these jobs. */
export function serviceContext(means: ServiceMeans, jobs: JobService): ServiceContext {
  return { ...means, jobs, batches: new BatchStore(means.storage, jobs, means.files) };
}
