import type { PartitionConfig } from "./partitions.js";
import { samplers } from "./samplers/registry.js";

/**
 * The most rows that a client of this configuration can hold, as far as the configuration alone says: `data.sampler` with
 * its sizes. Undefined where it depends on the data.
 */
export function mostRows({ data }: Pick<PartitionConfig, "data">): number | undefined {
  if (!samplers.has(data.sampler)) return undefined;
  return samplers.lookup(data.sampler).mostRows?.(data);
}
