import { ElenchusError } from "../base/index.js";
import type { RunningServer, ServerOptions } from "./serverOptions.js";

/**
 * Listens and runs the federation to its end.
 * @throws PORT_UNAVAILABLE when the address or port cannot be had; errors of `host.initialWeights()`
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  throw new ElenchusError("INTERNAL", `the server of ${options.runId} is not built yet`);
}
