import { beforeAll, describe } from "vitest";
import { silentLogger } from "../../src/base/index.js";
import { loadBackend } from "../../src/compute/index.js";
import { loraGoldenSuite } from "./suites/loraGoldenSuite.js";

describe("adapters on the wasm back end", () => {
  beforeAll(async () => void (await loadBackend("wasm", { logger: silentLogger })));
  loraGoldenSuite();
});
