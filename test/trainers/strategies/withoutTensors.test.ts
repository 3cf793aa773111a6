import { expect, test } from "vitest";
import { datasourceCatalog, samplerCatalog } from "../../../src/data/index.js";
import { modelCatalog } from "../../../src/models/index.js";
import { strategyCatalog } from "../../../src/trainers/strategies/index.js";

/** Where TensorFlow.js keeps its one engine. */
const engine = () => (globalThis as { _tfGlobals?: unknown })._tfGlobals;

test("naming data, models and strategies loads no TensorFlow.js; building on them does", async () => {
  const named = [datasourceCatalog(), samplerCatalog(), modelCatalog(), ...Object.values(strategyCatalog())];
  expect(named.every((entries) => entries.length > 0)).toBe(true);
  expect(engine()).toBeUndefined();
  await import("../../../src/models/kit.js");
  expect(engine()).toBeDefined();
});
