import { z } from "zod";
import { createRandom, parseOptions } from "../../base/index.js";
import { quantityKeys, skewedSizes } from "./quantitySkew.js";
import { type Partition, type PlanRequest, planned, type Sampler } from "./sampler.js";

const options = z.looseObject(quantityKeys);

/**
 * Quantity skew: the rows are shuffled once and cut into one piece per client, as large as shares from a Dirichlet
 * distribution over the clients say, none below `min_partition_size`. Every row is held, by one client.
 */
export const sampleQuantityNoniid: Sampler = planned(planOf, { options });

function planOf(request: PlanRequest): (clientId: number) => Partition {
  const { dataset, seed, totalClients } = request;
  const keys = parseOptions(options, request.options, "[data] for the sampler sample_quantity_noniid");
  const random = createRandom(seed, "sampler", "sample_quantity_noniid");
  const sizes = skewedSizes(keys, dataset, totalClients, random);
  const order = random.shuffle(Int32Array.from({ length: dataset.length }, (_, row) => row));
  const ends = sizes.slice();
  for (let client = 1; client < ends.length; client++) ends[client]! += ends[client - 1]!;
  return (clientId) => order.slice(ends[clientId - 1]! - sizes[clientId - 1]!, ends[clientId - 1]!);
}
