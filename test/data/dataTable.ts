import type { Config } from "../../src/config/index.js";
import { ArrayDataset } from "../../src/data/index.js";

/** A `[data]` table with its defaults, changed where the test says so; sources add keys of their own. */
export function dataTable(
  change: Partial<Config["data"]> & Readonly<Record<string, unknown>> = {},
): Config["data"] {
  return {
    datasource: "custom",
    data_path: "data",
    sampler: "iid",
    concentration: 1,
    random_horizontal_flip: false,
    random_crop: 0,
    random_seed: 1,
    ...change,
  };
}

/** One-number rows with these labels; the number is the row's index. */
export function datasetOf(labels: readonly number[], classes = Math.max(0, ...labels) + 1): ArrayDataset {
  return new ArrayDataset({
    inputs: Float32Array.from(labels, (_, row) => row),
    inputShape: [1],
    labels: classes === 0 ? Float32Array.from(labels) : Int32Array.from(labels),
    classes,
  });
}
