import { z } from "zod";
import { createRandom, ElenchusError, parseOptions } from "../../base/index.js";
import { classRows, needsClasses } from "./classRows.js";
import { noniidKeys } from "./noniid.js";
import { sizeKeys, tooLarge } from "./partitionSize.js";
import { type Partition, type PlanRequest, planned, type Sampler } from "./sampler.js";
import { weightedDraw } from "./weightedDraw.js";

const LISTS = /^\s*\d+(\s*,\s*\d+)*(\s*;\s*\d+(\s*,\s*\d+)*)*\s*;?\s*$/;
const EXPECTED = { error: 'expected the classes of each silo, such as "0, 1; 2, 3" or [[0, 1], [2, 3]]' };

const options = z.looseObject({
  ...sizeKeys("orthogonal"),
  concentration: noniidKeys("orthogonal").concentration,
  institution_class_ids: z
    .union([z.string().regex(LISTS, EXPECTED), z.array(z.array(z.int().min(0)).min(1)).min(1)], EXPECTED)
    .optional()
    .meta({ description: 'Classes of each silo: "0, 1; 2, 3" or lists. When absent they are split evenly.' }),
  label_distribution: z.enum(["iid", "noniid"]).default("iid").meta({
    description: "Class shares within a client: even, or from a Dirichlet distribution with `concentration`.",
  }),
});

const totalSilos = z.int().positive().optional().meta({
  description:
    "Number of silos of the sampler `orthogonal`; as many as `institution_class_ids` has lists, else as clients, when absent.",
});

/**
 * Silos whose classes differ, and clients that belong to them by turns: client k to silo (k - 1) mod silos. A client
 * draws `partition_size` rows of its silo's classes without replacement, each with a weight by its class, as `noniid`
 * does. Clients of one silo may hold the same rows; silos with different classes never do.
 */
export const orthogonal: Sampler = planned(planOf, {
  options,
  otherKeys: { algorithm: { total_silos: totalSilos } },
  check: needsClasses,
  mostRows: (given) => parseOptions(options, given, "[data] for the sampler orthogonal").partition_size,
});

function planOf(request: PlanRequest): (clientId: number) => Partition {
  const { dataset, seed } = request;
  const keys = parseOptions(options, request.options, "[data] for the sampler orthogonal");
  const pools = classRows(dataset, "orthogonal");
  const silos = silosOf(keys.institution_class_ids, pools.length, request);
  return (clientId) => {
    const silo = (clientId - 1) % silos.length;
    const mine = silos[silo]!.map((label) => pools[label]!);
    const rows = mine.reduce((sum, pool) => sum + pool.length, 0);
    if (keys.partition_size > rows) {
      throw tooLarge(
        keys.partition_size,
        rows,
        `the classes ${silos[silo]!.join(", ")} of silo ${silo + 1} have`,
        request.purpose,
      );
    }
    const random = createRandom(seed, "sampler", "orthogonal", clientId);
    const shares =
      keys.label_distribution === "noniid"
        ? random.dirichlet(new Array<number>(mine.length).fill(keys.concentration))
        : new Array<number>(mine.length).fill(1);
    return weightedDraw(mine, shares, keys.partition_size, random);
  };
}

/** Classes of each silo. */
function silosOf(
  given: z.output<typeof options>["institution_class_ids"],
  classes: number,
  { silos, totalClients }: PlanRequest,
): readonly (readonly number[])[] {
  if (given === undefined) return evenSplit(classes, silos ?? totalClients);
  const lists = typeof given === "string" ? listsIn(given) : given;
  if (silos !== undefined && lists.length < silos) {
    throw invalid(`names the classes of ${lists.length} silos; expected algorithm.total_silos = ${silos}`);
  }
  const stray = lists.flat().find((label) => label >= classes);
  if (stray !== undefined) throw invalid(`names class ${stray}, but the classes are 0 to ${classes - 1}`);
  const twice = lists.find((labels) => new Set(labels).size < labels.length);
  if (twice !== undefined) throw invalid(`names a class twice in one silo: ${twice.join(", ")}`);
  return lists.slice(0, silos);
}

function listsIn(text: string): number[][] {
  return text
    .split(";")
    .filter((list) => list.trim() !== "")
    .map((list) => list.split(",").map(Number));
}

/** In their order, the first silos one class more where it does not come out even. */
function evenSplit(classes: number, silos: number): number[][] {
  if (silos > classes) {
    throw new ElenchusError(
      "DATA_INVALID",
      `The sampler orthogonal has ${classes} classes for ${silos} silos, so that some would have none. Set algorithm.total_silos to at most ${classes}, or name classes in data.institution_class_ids.`,
      { details: { path: ["data", "sampler"] } },
    );
  }
  let next = 0;
  return Array.from({ length: silos }, (_, silo) => {
    const count = Math.floor(classes / silos) + (silo < classes % silos ? 1 : 0);
    return Array.from({ length: count }, () => next++);
  });
}

function invalid(found: string): ElenchusError {
  return new ElenchusError("DATA_INVALID", `data.institution_class_ids ${found}.`, {
    details: { path: ["data", "institution_class_ids"] },
  });
}
