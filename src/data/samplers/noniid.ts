import { z } from "zod";
import { createRandom, parseOptions } from "../../base/index.js";
import { classRows, needsClasses } from "./classRows.js";
import { mostRowsOf, partitionSize, spreadSizeKeys } from "./partitionSize.js";
import { type Partition, type PlanRequest, planned, type Sampler } from "./sampler.js";
import { weightedDraw } from "./weightedDraw.js";

const concentration = z.number().positive().default(1).meta({
  description: "Of the Dirichlet distribution of class shares: 0.1 is very skewed, 100 nearly even.",
});

/** Keys of `noniid` and of samplers that go on from it. */
export const noniidKeys = (sampler: string) => ({ ...spreadSizeKeys(sampler), concentration });

const noniidOptions = z.looseObject(noniidKeys("noniid"));

/**
 * Label skew (Hsu, Qi and Brown 2019, arXiv:1909.06335): each client draws class shares from a symmetric
 * Dirichlet distribution with `concentration`, then `partition_size` rows one by one without replacement,
 * each remaining row with a chance proportional to the share of its class.
 *
 * A row's weight is the share itself, not divided by the size of its class, so that a large concentration
 * tends to an even draw over the rows. A client whose classes run out goes on with the rest. Clients draw
 * from generators of their own, hence independently: they may hold the same rows. Rows of text have owners
 * instead of classes.
 */
export const noniid: Sampler = planned(planOf, {
  options: noniidOptions,
  check: needsClasses,
  mostRows: mostRowsOf("noniid"),
});

function planOf(request: PlanRequest): (clientId: number) => Partition {
  const { dataset, seed, options } = request;
  const keys = parseOptions(noniidOptions, options, "[data] for the sampler noniid");
  const pools = classRows(dataset, "noniid");
  return (clientId) => {
    const random = createRandom(seed, "sampler", "noniid", clientId);
    const size = partitionSize(keys, request, () => createRandom(seed, "sampler", "size", clientId));
    const shares = random.dirichlet(new Array<number>(pools.length).fill(keys.concentration));
    return weightedDraw(pools, shares, size, random);
  };
}
