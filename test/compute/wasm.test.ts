import { silentLogger } from "../../src/base/index.js";
import { loadBackend, tf } from "../../src/compute/index.js";
import { backendSuite } from "./suites/backendSuite.js";

backendSuite("wasm on the shared heap", async () => {
  await loadBackend("wasm", { logger: silentLogger });
  return tf.getBackend();
});
