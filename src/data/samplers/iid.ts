import { z } from "zod";
import { createRandom, ElenchusError, parseOptions } from "../../base/index.js";
import type { CatalogEntry } from "../../config/index.js";
import { nameOf, tooLarge } from "./partitionSize.js";
import { type Partition, type PlanRequest, planned, type Sampler } from "./sampler.js";

const options = z.looseObject({
  partition_size: z.int().positive().optional().meta({
    description: "Rows of each client. When absent, the rows are dealt out until none is left.",
    unit: "rows",
  }),
});

/**
 * Deals out one shuffle of the rows like cards: client k takes positions k-1, k-1+n, k-1+2n, ... for n
 * clients, so partitions are disjoint. Where `partition_size` times the number of clients exceeds the
 * rows, dealing goes on from the first position and clients share rows, but no client gets a row twice:
 * one that would come round to its own first row goes on with the row beside it.
 */
export const iid: Sampler = planned(planOf, {
  options,
  check,
  mostRows: (given) => parseOptions(options, given, "[data] for the sampler iid").partition_size,
});

function planOf(request: PlanRequest): (clientId: number) => Partition {
  const { dataset, totalClients, seed } = request;
  const { partition_size } = parseOptions(options, request.options, "[data] for the sampler iid");
  const rows = dataset.length;
  const order = createRandom(seed, "sampler", "iid").shuffle(
    Int32Array.from({ length: rows }, (_, row) => row),
  );
  const lap = rows / greatestCommonDivisor(rows, totalClients);
  return (clientId) => {
    const size = partition_size ?? Math.ceil((rows - clientId + 1) / totalClients);
    if (size < 1) {
      throw new ElenchusError(
        "DATA_INVALID",
        `The sampler iid has ${rows} rows for ${totalClients} clients, so client ${clientId} would hold none. Lower clients.total_clients, or set data.partition_size to let clients share rows.`,
        { details: { path: ["clients", "total_clients"] } },
      );
    }
    if (size > rows) throw tooLarge(size, rows, `${nameOf(request.purpose)} has`, request.purpose);
    return Int32Array.from({ length: size }, (_, turn) => {
      const position = clientId - 1 + turn * totalClients + Math.floor(turn / lap);
      return order[position % rows]!;
    });
  };
}

function check(...[{ data, clients }, facts]: Parameters<NonNullable<CatalogEntry["check"]>>) {
  if (facts === undefined || data.partition_size !== undefined) return [];
  if (clients.total_clients <= facts.trainRows) return [];
  const expected = `at most ${facts.trainRows}, the rows of the training set, so that each client holds one; or data.partition_size, to let clients share rows`;
  return [{ path: ["clients", "total_clients"], expected }];
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}
