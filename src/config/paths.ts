import { resolve } from "node:path";
import type { Config } from "./schema/config.js";

/** The folders of a run. */
export interface RunPaths {
  base: string;
  data: string;
  models: string;
  checkpoints: string;
  results: string;
}

/** The folders of a configuration: relative ones lie under `general.base_path`, absolute ones stand as they are. */
export function pathsOf(config: Config): RunPaths {
  const base = config.general.base_path;
  const under = (path: string) => resolve(base, path);
  return {
    base: resolve(base),
    data: under(config.data.data_path),
    models: under(config.server.model_path),
    checkpoints: under(config.server.checkpoint_path),
    results: under(config.results.result_path ?? "results"),
  };
}
