import { type Registry, sharedRegistry } from "../../base/index.js";
import type { JobKind } from "./job.js";

/**
 * The kinds of jobs that this process can do. A worker only takes jobs of kinds that it knows; a module named by
 * `--import` may add some.
 */
export const jobKinds: Registry<JobKind> = sharedRegistry<JobKind>("job kind", () => {});

/** A kind of job with its parameters typed; the registry forgets the type, the schema does not. */
export function defineJobKind<Params>(kind: JobKind<Params>): JobKind {
  return {
    params: kind.params,
    run: (work) => kind.run({ ...work, params: work.params as Params }),
  };
}
