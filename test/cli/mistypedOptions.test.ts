import { describe, expect, it } from "vitest";
import { z } from "zod";
import { buildCatalog } from "../../src/cli/catalog.js";
import { checkConfig } from "../../src/config/index.js";
import { Evaluator, registry } from "../../src/evaluators/index.js";
import { smallConfig } from "../support/smallConfig.js";

class Probe extends Evaluator {
  static options = z.object({ depth: z.int().default(3) });

  evaluate() {
    return { evaluator: "probe_of_test", primaryMetric: "a", metrics: { a: 1 } };
  }
}

const check = (table: string) => checkConfig({ text: smallConfig(table) }, buildCatalog());
const faults = (list: readonly { code: string; key: string; suggestion: string | null }[]) =>
  list.filter(({ key }) => key.startsWith("evaluation")).map((one) => [one.code, one.key, one.suggestion]);

describe("a mistyped key of [evaluation]", () => {
  it.each(["classification", "regression"])("is an error of %s, which declares all its options", (type) => {
    const { ok, errors } = check(`[evaluation]\ntype = "${type}"\nevry = 2`);
    expect(ok).toBe(false);
    expect(faults(errors)).toEqual([["CONFIG_UNKNOWN_KEY", "evaluation.evry", "every"]]);
  });

  it("is a warning where an evaluator lets undeclared options through, and passes", () => {
    registry.register("probe_of_test", Probe);
    const { ok, warnings, config } = check('[evaluation]\ntype = "probe_of_test"\ndepht = 1\ncolour = "red"');
    registry.unregister("probe_of_test");
    expect(ok).toBe(true);
    expect(faults(warnings)).toEqual([["CONFIG_UNKNOWN_KEY", "evaluation.depht", "depth"]]);
    expect(config?.evaluation).toMatchObject({ depth: 3, depht: 1, colour: "red" });
  });
});
