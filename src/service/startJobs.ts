import { createRegistry } from "../base/index.js";
import type { ServiceContext } from "./http/serviceContext.js";
import { type JobKind, JobService, jobKinds } from "./jobs/index.js";
import { maskSecrets } from "./maskSecrets.js";

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
  context: ServiceContext,
  { environment = {}, concurrency = context.settings.service.concurrency }: JobsWorld = {},
): Promise<JobService> {
  const { settings, storage, logger } = context;
  return JobService.start({
    storage,
    kinds: kindsOf(context),
    logger,
    settings: { ...settings.service, concurrency },
    mask: maskSecrets(settings, environment),
  });
}

function kindsOf(_context: ServiceContext) {
  const kinds = createRegistry<JobKind>("job kind");
  for (const { name, description } of jobKinds.list()) {
    kinds.register(name, jobKinds.lookup(name), { description });
  }
  return kinds;
}
