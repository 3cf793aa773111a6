import { expect } from "vitest";
import { createLogger } from "../../src/base/index.js";
import { loadBackend, tf } from "../../src/compute/index.js";
import { backendSuite } from "./suites/backendSuite.js";

// A package of another version: its heap is not touched, and every number stays right.
backendSuite("wasm whose heap cannot be shared", async () => {
  const lines: string[] = [];
  const backend = await loadBackend("wasm", {
    logger: createLogger("warn", (line) => lines.push(line)),
    importer: async (name) => ({ ...((await import(name)) as object), version_wasm: "4.23.0" }),
  });
  expect(backend.kernels).toBe("copied");
  expect(lines).toEqual([
    expect.stringMatching(/heap cannot be shared: its version is 4\.23\.0, expected 4\.22\.0/),
  ]);
  return tf.getBackend();
});
