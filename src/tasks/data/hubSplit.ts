import { ElenchusError, messageOf } from "../../base/index.js";
import { loadDataset } from "../../data/index.js";
import type { HubEnvironment } from "../../hub/index.js";
import type { Task } from "../task.js";
import type { FoundSplit, Tables } from "./foundSplit.js";

/** The branch on which the hub keeps parquet files of data sets that are programs. */
const CONVERTED = "refs/convert/parquet";

/** Looks for a split on a hub: in each data set that holds the rows, as it is and as the hub has converted it. */
export async function hubSplit(
  { data }: Task,
  name: string,
  hub: HubEnvironment,
  table: Tables,
): Promise<FoundSplit> {
  const looked: string[] = [];
  let cause: unknown;
  for (const repository of data.repositories) {
    for (const revision of data.revision === undefined ? [undefined, CONVERTED] : [data.revision]) {
      const from = [
        `data set ${repository}${revision === undefined ? "" : ` at ${revision}`}`,
        ...(data.config === undefined ? [] : [`configuration ${data.config}`]),
        `split ${name}`,
      ].join(", ");
      const request = { name: repository, config: data.config, split: name, revision };
      try {
        const rows = await table(from, async () => [...(await loadDataset(request, hub)).rows]);
        return { name, rows, from, looked };
      } catch (error) {
        if (!(error instanceof ElenchusError)) throw error;
        cause ??= error;
        looked.push(`${from}: ${messageOf(error)}`);
        // Whoever does not answer once would not answer for another name either.
        if (error.code === "HUB_UNREACHABLE") return { name, rows: undefined, looked, cause: error };
      }
    }
  }
  return { name, rows: undefined, looked, cause };
}
