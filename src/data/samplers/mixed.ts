import { z } from "zod";
import { createRandom, ElenchusError, parseOptions } from "../../base/index.js";
import { classRows, needsClasses } from "./classRows.js";
import { noniid, noniidKeys } from "./noniid.js";
import { mostRowsOf, partitionSize } from "./partitionSize.js";
import { type Partition, type PlanRequest, planned, type Sampler } from "./sampler.js";
import { weightedDraw } from "./weightedDraw.js";

const LIST = /^\s*\d+\s*(,\s*\d+\s*)*$/;
const EXPECTED = { error: 'expected a number of clients, or a list of them such as "1, 3" or [1, 3]' };

const nonIidClients = z
  .union([z.int().min(0), z.array(z.int().positive()), z.string().regex(LIST, EXPECTED)], EXPECTED)
  .meta({ description: "Clients with skewed classes: so many, the first ones, or a list of them." });

const mixedOptions = z.looseObject({ ...noniidKeys("mixed"), non_iid_clients: nonIidClients });

/**
 * Some clients are skewed and the others are not: those of `non_iid_clients` hold what `noniid` gives them; each of
 * the others draws `partition_size` rows, all alike, without replacement. Clients draw independently: they may hold
 * the same rows.
 */
export const mixed: Sampler = planned(planOf, {
  options: mixedOptions,
  check: needsClasses,
  mostRows: mostRowsOf("mixed"),
});

function planOf(request: PlanRequest): (clientId: number) => Partition {
  const { dataset, seed, options, totalClients } = request;
  const keys = parseOptions(mixedOptions, options, "[data] for the sampler mixed");
  const skewed = skewedClients(keys.non_iid_clients, totalClients);
  const stray = skewed.find((client) => client > totalClients || client < 1);
  if (stray !== undefined) {
    throw new ElenchusError(
      "DATA_INVALID",
      `data.non_iid_clients names client ${stray}; expected clients from 1 to clients.total_clients = ${totalClients}.`,
      { details: { path: ["data", "non_iid_clients"] } },
    );
  }
  const pools = classRows(dataset, "mixed");
  const alike = new Array<number>(pools.length).fill(1);
  const asNoniid = noniid.plan!(request);
  const isSkewed = new Set(skewed);
  return (clientId) => {
    if (isSkewed.has(clientId)) return asNoniid(clientId);
    const size = partitionSize(keys, request, () => createRandom(seed, "sampler", "size", clientId));
    return weightedDraw(pools, alike, size, createRandom(seed, "sampler", "mixed", clientId));
  };
}

function skewedClients(given: z.output<typeof nonIidClients>, totalClients: number): readonly number[] {
  if (typeof given === "string") return given.split(",").map(Number);
  if (typeof given !== "number") return given;
  // A number of clients beyond the last one is reported by the first that there is not.
  return Array.from({ length: Math.min(given, totalClients + 1) }, (_, index) => index + 1);
}
