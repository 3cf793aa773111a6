import { createRandom, ElenchusError } from "../base/index.js";
import type { Config } from "../config/index.js";
import type { Dataset } from "./dataset.js";

/**
 * The test rows to use: `data.testset_size` of them, drawn with `data.random_seed`, in rising order, the
 * same in every round and process; undefined when all are.
 * @throws DATA_INVALID when the test set is smaller than that
 */
export function testSubset(
  data: Pick<Config["data"], "testset_size" | "random_seed">,
  testset: Dataset,
): Int32Array | undefined {
  const size = data.testset_size;
  if (size === undefined) return undefined;
  if (size > testset.length) {
    throw new ElenchusError(
      "DATA_INVALID",
      `data.testset_size = ${size}, but the test set has ${testset.length} rows. Lower it, or leave it out to use all.`,
      { details: { path: ["data", "testset_size"] } },
    );
  }
  return Int32Array.from(createRandom(data.random_seed, "testset").sample(testset.length, size)).sort();
}
