import { z } from "zod";
import { createRandom, parseOptions } from "../../base/index.js";
import { classRows, needsClasses } from "./classRows.js";
import { quantityKeys, skewedSizes } from "./quantitySkew.js";
import { type Partition, type PlanRequest, planned, type Sampler } from "./sampler.js";
import { weightedDraw } from "./weightedDraw.js";

const options = z.looseObject({
  ...quantityKeys,
  label_concentration: z.number().positive().default(1).meta({
    description: "Of the Dirichlet distribution of class shares within a client: smaller is more skewed.",
  }),
});

/**
 * Skew of quantity and of labels at once: the sizes of `sample_quantity_noniid`, one draw for all clients, so that
 * they sum to the rows of the data; within a client class shares of its own and then rows as `noniid` draws them.
 * Clients draw their rows independently: they may hold the same ones.
 */
export const distributionNoniid: Sampler = planned(planOf, { options, check: needsClasses });

function planOf(request: PlanRequest): (clientId: number) => Partition {
  const { dataset, seed, totalClients } = request;
  const keys = parseOptions(options, request.options, "[data] for the sampler distribution_noniid");
  const pools = classRows(dataset, "distribution_noniid");
  const sizes = skewedSizes(
    keys,
    dataset,
    totalClients,
    createRandom(seed, "sampler", "distribution_noniid"),
  );
  return (clientId) => {
    const random = createRandom(seed, "sampler", "distribution_noniid", clientId);
    const shares = random.dirichlet(new Array<number>(pools.length).fill(keys.label_concentration));
    return weightedDraw(pools, shares, sizes[clientId - 1]!, random);
  };
}
