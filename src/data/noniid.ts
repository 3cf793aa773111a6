import { z } from "zod";
import { createRandom, ElenchusError, parseOptions, type Random } from "../base/index.js";
import type { Dataset } from "./dataset.js";
import type { Sampler } from "./sampler.js";

const noniidOptions = z.looseObject({
  partition_size: z
    .int({ error: "the sampler noniid needs a whole number of rows per client" })
    .positive()
    .meta({ description: "Rows of each client.", unit: "rows" }),
  concentration: z.number().positive().default(1).meta({
    description: "Of the Dirichlet distribution of class shares: 0.1 is very skewed, 100 nearly even.",
  }),
});

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
export const noniid: Sampler = {
  options: noniidOptions,
  check: (_, facts) =>
    facts?.classes === 0
      ? [{ path: ["data", "sampler"], expected: 'one for data without classes (regression), such as "iid"' }]
      : [],
  partition({ dataset, clientId, seed, options }) {
    const { partition_size, concentration } = parseOptions(
      noniidOptions,
      options,
      "[data] for the sampler noniid",
    );
    if (dataset.classes === 0) {
      throw new ElenchusError(
        "DATA_INVALID",
        'The sampler noniid skews classes, but this data set has none (regression). Use data.sampler = "iid".',
        { details: { path: ["data", "sampler"] } },
      );
    }
    if (partition_size > dataset.length) {
      throw new ElenchusError(
        "DATA_INVALID",
        `data.partition_size = ${partition_size}, but the training set has ${dataset.length} rows. Lower data.partition_size.`,
        { details: { path: ["data", "partition_size"] } },
      );
    }
    const random = createRandom(seed, "sampler", "noniid", clientId);
    const shares = random.dirichlet(new Array<number>(classesOf(dataset)).fill(concentration));
    return drawByClass(rowsByClass(dataset), shares, partition_size, random);
  },
};

/** Of text, whose labels are groups, those stand for classes. */
function classesOf({ groups, classes }: Dataset): number {
  return groups === undefined ? classes : groups.names.length;
}

function rowsByClass(dataset: Dataset): number[][] {
  const rows = Array.from({ length: classesOf(dataset) }, (): number[] => []);
  dataset.labels.forEach((label, row) => {
    rows[label]!.push(row);
  });
  return rows;
}

/**
 * The weighted draw without replacement. All remaining rows of a class weigh the same, so drawing a class
 * by the weight of its remaining rows and then one of those evenly is the same draw, at the cost of the
 * classes instead of the rows.
 */
function drawByClass(pools: number[][], shares: readonly number[], size: number, random: Random): Int32Array {
  const drawn = new Int32Array(size);
  for (let place = 0; place < size; place++) {
    const pool = pools[drawClass(pools, shares, random)]!;
    const chosen = random.int(pool.length);
    drawn[place] = pool[chosen]!;
    pool[chosen] = pool[pool.length - 1]!;
    pool.pop();
  }
  return drawn;
}

/** A class with rows left. Shares that are zero to a double's precision count only when nothing else is left. */
function drawClass(pools: readonly number[][], shares: readonly number[], random: Random): number {
  let weights = pools.map((pool, label) => pool.length * shares[label]!);
  let total = weights.reduce((sum, weight) => sum + weight, 0);
  if (total === 0) {
    weights = pools.map((pool) => pool.length);
    total = weights.reduce((sum, weight) => sum + weight, 0);
  }
  let left = random.next() * total;
  let last = 0;
  for (const [label, weight] of weights.entries()) {
    if (weight === 0) continue;
    if (left < weight) return label;
    left -= weight;
    last = label;
  }
  return last;
}
