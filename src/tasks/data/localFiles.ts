import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { Task } from "../task.js";

/** Formats of a split's file, in the order they are looked for. */
const ENDS = ["parquet", "jsonl", "jsonl.gz", "csv", "csv.gz", "json", "json.gz"];

/**
 * The places of a split below a folder: `<hub id with / as __>/<config>/<split>` with the end of a table, for each
 * data set that holds these rows; a file of a bundle where the task comes in one.
 */
export function localPlaces(folder: string, { data }: Task, split: string): string[] {
  if (data.bundleFile !== undefined) {
    const { bundleFile } = data;
    return ["eval_data", "eval_bundle/eval_data", ""].map((inside) => join(folder, inside, bundleFile));
  }
  // A data set with one configuration has no name for it that all agree on.
  const configs = [...new Set([data.config ?? "default", "default", ""])];
  return data.repositories.flatMap((repository) =>
    configs.flatMap((config) =>
      ENDS.map((end) => join(folder, repository.replaceAll("/", "__"), config, `${split}.${end}`)),
    ),
  );
}

/** The first of these files that there is. */
export async function firstFile(paths: readonly string[]): Promise<string | undefined> {
  for (const path of paths) {
    const isFile = await stat(path).then(
      (entry) => entry.isFile(),
      () => false,
    );
    if (isFile) return path;
  }
  return undefined;
}
