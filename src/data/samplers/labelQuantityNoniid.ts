import { z } from "zod";
import { createRandom, ElenchusError, parseOptions } from "../../base/index.js";
import type { CatalogEntry } from "../../config/index.js";
import { classRows, needsClasses } from "./classRows.js";
import { dealtClasses } from "./dealtClasses.js";
import { drawClasses } from "./drawClasses.js";
import { type Partition, type PlanRequest, planned, type Sampler } from "./sampler.js";

export const classesPerClient = z
  .int({ error: "expected the number of classes that each client holds" })
  .positive()
  .meta({ description: "Classes of each client." });

const options = z.looseObject({ per_client_classes_size: classesPerClient });

/**
 * Every client holds the same number of classes ("quantity-based label imbalance", Li, Diao, Chen and He 2022,
 * arXiv:2102.02079): the first by turns, the others drawn. The rows of a class are divided evenly among its holders,
 * so partitions are disjoint; a class that no client drew is left out.
 */
export const labelQuantityNoniid: Sampler = planned(planOf, { options, check });

function planOf(request: PlanRequest): (clientId: number) => Partition {
  const { dataset, seed, totalClients } = request;
  const keys = parseOptions(options, request.options, "[data] for the sampler label_quantity_noniid");
  const pools = classRows(dataset, "label_quantity_noniid");
  const wanted = keys.per_client_classes_size;
  if (wanted > pools.length) throw tooManyClasses(wanted, pools.length);
  const all = [...pools.keys()];
  const random = createRandom(seed, "sampler", "label_quantity_noniid");
  const classesOf = Array.from({ length: totalClients }, (_, place) =>
    drawClasses(all, place, wanted, random),
  );
  return dealtClasses(pools, classesOf);
}

/** What is known before the rows are there. */
function check(...[config, facts]: Parameters<NonNullable<CatalogEntry["check"]>>) {
  const { per_client_classes_size: wanted }: Readonly<Record<string, unknown>> = config.data;
  const faults = [...needsClasses(config, facts)];
  if (facts && facts.classes > 0 && typeof wanted === "number" && wanted > facts.classes) {
    const expected = `at most the ${facts.classes} classes of the data`;
    faults.push({ path: ["data", "per_client_classes_size"], expected });
  }
  return faults;
}

export function tooManyClasses(wanted: number, classes: number): ElenchusError {
  return new ElenchusError(
    "DATA_INVALID",
    `data.per_client_classes_size = ${wanted}, but the data has ${classes} classes. Lower data.per_client_classes_size.`,
    { details: { path: ["data", "per_client_classes_size"] } },
  );
}
