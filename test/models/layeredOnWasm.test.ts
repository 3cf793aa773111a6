import { beforeAll, describe } from "vitest";
import { silentLogger } from "../../src/base/index.js";
import { loadBackend } from "../../src/compute/index.js";
import { layeredGoldenSuite } from "./suites/layeredGoldenSuite.js";

describe("on the wasm back end", () => {
  beforeAll(async () => void (await loadBackend("wasm", { logger: silentLogger })));
  layeredGoldenSuite("wasm", 1e-4);
});
