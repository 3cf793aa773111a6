import { z } from "zod";
import {
  becomeWorker,
  ElenchusError,
  LOG_LEVELS,
  loadModules,
  messageOf,
  stderrLogger,
  systemClock,
} from "../base/index.js";
import type { Config } from "../config/index.js";
import { createTrainerHost } from "../trainers/index.js";
import { clientSamples } from "./clientSamples.js";
import { fileStateStores } from "./fileStateStore.js";
import { ownServerTrust } from "./serverTrust.js";
import { startClient } from "./startClient.js";

/*
 * A client process that `run` starts. It gets its order over the IPC channel, works until the server ends the
 * run, and ends when the channel closes: a client whose parent was killed does not stay behind.
 */
becomeWorker();

const orderSchema = z.object({
  // Checked by the parent, which loaded it.
  config: z.custom<Config>((value) => typeof value === "object" && value !== null),
  imports: z.array(z.string()),
  url: z.string(),
  token: z.string(),
  processId: z.int().positive(),
  logLevel: z.enum(LOG_LEVELS),
  stateFolder: z.string(),
});

const stop = new AbortController();

// A signal to the terminal's process group reaches this process too; the server decides when the run ends.
process.on("SIGINT", () => {});
process.on("SIGTERM", () => stop.abort());
/** Exit status after an orderly stop by SIGTERM. */
const TERMINATED = 143;
process.on("disconnect", () => process.exit(1));
process.once("message", (message) => {
  work(orderSchema.parse(message)).then(
    () => process.exit(stop.signal.aborted ? TERMINATED : 0),
    (error) => {
      const code = error instanceof ElenchusError ? error.code : "INTERNAL";
      process.stderr.write(`error [${code}]: ${messageOf(error)}\n`, () =>
        process.exit(error instanceof ElenchusError ? error.exitCode : 1),
      );
    },
  );
});

async function work(order: z.output<typeof orderSchema>): Promise<void> {
  const { config, imports, url, token, processId, stateFolder } = order;
  const logger = stderrLogger(order.logLevel);
  await loadModules(imports);
  const host = await createTrainerHost({
    config,
    imports,
    role: "client",
    where: config.trainer.max_concurrency === undefined ? "process" : "worker",
    logger,
    clock: systemClock,
  });
  try {
    const stateStoreOf = fileStateStores(stateFolder, logger);
    const { signal } = stop;
    const clock = systemClock;
    const samplesFolderOf = clientSamples(config);
    const given = {
      config,
      url,
      token,
      trust: await ownServerTrust(config),
      processId,
      host,
      logger,
      clock,
      stateStoreOf,
      samplesFolderOf,
      signal,
    };
    await startClient({ ...given, launched: true }).done;
  } finally {
    await host.close();
  }
}
