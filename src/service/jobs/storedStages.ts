import type { JsonValue, Storage } from "../storage/index.js";
import type { JobStages } from "./job.js";
import { rowsOfJob } from "./jobStore.js";

/** The stages of one job in a storage; a row is flushed before its promise resolves. */
export function storedStages(storage: Storage, id: string): JobStages {
  const owner = rowsOfJob(id);
  return {
    has: (stage, index) => storage.has(owner, stage, index),
    append: async (stage, index, row) => {
      await storage.append(owner, stage, [{ index, row: row as JsonValue }]);
    },
    rows: (stage) => storage.rows(owner, stage),
  };
}
