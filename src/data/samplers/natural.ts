import { z } from "zod";
import { createRandom, ElenchusError, parseOptions } from "../../base/index.js";
import { type Partition, type PlanRequest, planned, type Sampler } from "./sampler.js";

const options = z.looseObject({
  partition_size: z.int().positive().optional().meta({
    description: "The most rows of a client: a seeded sample of its own. All when absent.",
    unit: "rows",
  }),
  natural_order: z.enum(["given", "shuffled"]).default("given").meta({
    description: "Whether owners go to clients in the order of the data or shuffled with the seed.",
  }),
});

/**
 * The partition that the data has by nature: a client is a speaker, a file, a user. Owners are dealt out like cards,
 * client k takes owners k, k+n, k+2n, ... for n clients; with as many clients as owners each is one. Partitions are
 * disjoint and as uneven as the data. Without `partition_size` every row is held.
 */
export const natural: Sampler = planned(planOf, { options });

function planOf(request: PlanRequest): (clientId: number) => Partition {
  const { dataset, totalClients, seed } = request;
  const keys = parseOptions(options, request.options, "[data] for the sampler natural");
  const { groups } = dataset;
  if (groups === undefined) {
    throw new ElenchusError(
      "DATA_INVALID",
      'The sampler natural needs rows that belong to somebody, but this data set names no owners. Use data.sampler = "iid", or a source of text.',
      { details: { path: ["data", "sampler"] } },
    );
  }
  const owners = groups.names.length;
  if (totalClients > owners) {
    throw new ElenchusError(
      "DATA_INVALID",
      `The sampler natural has ${owners} owners for ${totalClients} clients, so client ${owners + 1} would hold nothing. Lower clients.total_clients to at most ${owners}.`,
      { details: { path: ["clients", "total_clients"] } },
    );
  }
  const order = Int32Array.from({ length: owners }, (_, owner) => owner);
  if (keys.natural_order === "shuffled") createRandom(seed, "sampler", "natural").shuffle(order);
  const holder = new Int32Array(owners);
  order.forEach((owner, place) => {
    holder[owner] = place % totalClients;
  });
  const rowsOf = Array.from({ length: totalClients }, (): number[] => []);
  groups.of.forEach((owner, row) => {
    rowsOf[holder[owner]!]!.push(row);
  });
  return (clientId) => {
    const rows = Int32Array.from(rowsOf[clientId - 1]!);
    const size = keys.partition_size;
    if (size === undefined || size >= rows.length) return rows;
    const chosen = createRandom(seed, "sampler", "natural", clientId).sample(rows.length, size);
    return Int32Array.from(chosen, (place) => rows[place]!).sort();
  };
}
