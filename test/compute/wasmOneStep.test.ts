import { setFlagsFromString } from "node:v8";
import { expect } from "vitest";
import { silentLogger } from "../../src/base/index.js";
import { loadBackend, tf } from "../../src/compute/index.js";
import { backendSuite } from "./suites/backendSuite.js";

// Node 20 has these instructions behind a flag; on later versions the other test of wasm has them too.
backendSuite("wasm that multiplies and adds in one step", async () => {
  if (Number(process.versions.node.split(".")[0]) < 21) {
    setFlagsFromString("--experimental-wasm-relaxed-simd");
  }
  const backend = await loadBackend("wasm", { logger: silentLogger });
  expect(backend).toMatchObject({ kernels: "shared", arithmetic: "one-step" });
  return tf.getBackend();
});
