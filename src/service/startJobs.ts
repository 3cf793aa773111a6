import { JobService } from "./jobs/index.js";
import { maskSecrets } from "./maskSecrets.js";
import { serviceJobKinds } from "./serviceJobKinds.js";
import type { ServiceMeans } from "./serviceMeans.js";

/** What starting jobs takes from the world. */
export interface JobsWorld {
  /** Secrets that the settings name stand in it; they are kept out of logs and errors. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Most jobs at once. Default `service.concurrency`. */
  readonly concurrency?: number;
}

/**
 * Begins to take and to do the jobs of a service: of its own kinds, and of those that the user's modules have
 * registered. The same in `serve` and in `worker`.
 * @throws STORAGE_FAILED, QUEUE_FAILED
 */
export function startJobs(
  means: ServiceMeans,
  { environment = {}, concurrency = means.settings.service.concurrency }: JobsWorld = {},
): Promise<JobService> {
  const { settings, storage, logger } = means;
  return JobService.start({
    storage,
    kinds: serviceJobKinds(means),
    logger,
    settings: { ...settings.service, concurrency },
    mask: maskSecrets(settings, environment),
  });
}
