// A client process of the memory benchmark: sends back what it was sent.
import { silentLogger, systemClock } from "../src/base/index.js";
import { startClient } from "../src/client/index.js";
import { memoryConfig, TOKEN } from "./serverMemorySettings.js";
import { untrained } from "./untrainedHost.js";

const [members, url = "", id] = process.argv.slice(2);
await startClient({
  config: memoryConfig(Number(members)),
  url,
  token: TOKEN,
  processId: Number(id),
  host: untrained,
  logger: silentLogger,
  clock: systemClock,
  stateStoreOf: () => ({ load: async () => new Map(), save: async () => {} }),
  launched: true,
}).done;
process.exit();
