import { join } from "node:path";
import { type Config, pathsOf } from "../config/index.js";
import { runPaths } from "../results/index.js";

/**
 * Where samples of evaluators on clients go, on the machine of the client: `<run_id>/samples/clients/<client>/`. A run
 * id from the server that is none has no such place.
 */
export function clientSamples(config: Config): (runId: string, clientId: number) => string | undefined {
  const { results } = pathsOf(config);
  return (runId, clientId) => {
    try {
      return join(runPaths(results, runId).samples, "clients", String(clientId));
    } catch {
      return undefined;
    }
  };
}
