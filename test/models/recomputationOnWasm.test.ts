import { beforeAll, describe } from "vitest";
import { silentLogger } from "../../src/base/index.js";
import { loadBackend } from "../../src/compute/index.js";
import { recomputationSuite } from "./suites/recomputationSuite.js";

describe("on the wasm back end", () => {
  beforeAll(async () => void (await loadBackend("wasm", { logger: silentLogger })));
  recomputationSuite();
});
