// The server of the memory benchmark, alone in its process; it starts the two clients.
import { fork } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFedAvg } from "../src/algorithms/fedavg.js";
import { nodeArguments, silentLogger, systemClock } from "../src/base/index.js";
import { startServer } from "../src/server/index.js";
import type { Weights } from "../src/weights/index.js";
import { memoryConfig, PARAMETERS, TOKEN } from "./serverMemorySettings.js";
import { untrained } from "./untrainedHost.js";

/** What is said of a run. */
export interface ServerMemoryRun {
  readonly members: number;
  readonly seconds: number;
  /** Largest resident size of the server's process. */
  readonly peak_mb: number;
}

const members = Number(process.argv[2]);
const weights: Weights = new Map([
  ["w", { dtype: "float32", shape: [PARAMETERS], data: new Float32Array(PARAMETERS).fill(0.5) }],
]);
const folder = mkdtempSync(join(tmpdir(), "elenchus-bench-memory-"));
const startedAt = performance.now();
const server = await startServer({
  config: memoryConfig(members),
  runId: "bench",
  spoolFolder: join(folder, "spool"),
  host: { ...untrained, initialWeights: async () => weights },
  algorithm: createFedAvg(),
  record: { append: async () => {} },
  checkpoints: { save: async () => {} },
  logger: silentLogger,
  clock: systemClock,
  token: TOKEN,
  launched: 2,
});
for (const id of [1, 2]) {
  fork(new URL("./serverMemoryClient.ts", import.meta.url), [String(members), server.url, String(id)], {
    execArgv: nodeArguments(),
  });
}
const { error } = await server.done;
rmSync(folder, { recursive: true, force: true });
if (error !== null) throw error;
const run: ServerMemoryRun = {
  members,
  seconds: Math.round((performance.now() - startedAt) / 1000),
  peak_mb: Math.round(process.resourceUsage().maxRSS / 1024),
};
console.log(JSON.stringify(run));
