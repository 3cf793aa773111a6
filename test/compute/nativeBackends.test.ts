import { expect, test } from "vitest";
import { silentLogger } from "../../src/base/index.js";
import { loadBackend, tf } from "../../src/compute/index.js";
import { backendSuite } from "./suites/backendSuite.js";

// Where a native package is installed and loads, it does what every back end must.
for (const name of ["node-gpu", "node"] as const) {
  const loaded = await loadBackend(name, { logger: silentLogger }).catch((error: unknown) => error);

  if (loaded instanceof Error) {
    test(`${name} does not load here, and says so`, () => {
      expect(loaded).toMatchObject({ code: "BACKEND_UNAVAILABLE", details: { backend: name } });
    });
  } else {
    backendSuite(name, async () => {
      await loadBackend(name, { logger: silentLogger });
      return tf.getBackend();
    });
  }
}
