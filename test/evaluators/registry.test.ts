import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { ElenchusError } from "../../src/base/index.js";
import {
  createEvaluatorRegistry,
  EvaluationResult,
  Evaluator,
  type EvaluatorFactory,
  registry as shared,
} from "../../src/evaluators/index.js";

class Mock extends Evaluator {
  evaluate() {
    return new EvaluationResult({ evaluator: "mock", primaryMetric: "score", metrics: { score: 1 } });
  }
}

function codeOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    return (error as ElenchusError).code;
  }
  return "nothing thrown";
}

describe("the registry of evaluators", () => {
  it("makes the evaluator of the class registered, which sees the table", () => {
    const registry = createEvaluatorRegistry();
    registry.register("mock", Mock);
    const table = { type: "mock", depth: 3 };
    const evaluator = registry.get(table) as Mock;
    expect(evaluator).toBeInstanceOf(Mock);
    expect(evaluator.config).toEqual(table);
    expect(evaluator.config).not.toBe(table);
  });

  it("calls a function as a factory, sync or not, and constructs every kind of class", async () => {
    const registry = createEvaluatorRegistry();
    const old = function (this: { config: unknown }, config: unknown) {
      this.config = config;
    } as unknown as EvaluatorFactory & { prototype: object };
    old.prototype = { evaluate: () => ({ evaluator: "old", primaryMetric: "a", metrics: { a: 1 } }) };
    class Field {
      constructor(readonly config: unknown) {}
      evaluate = () => ({ evaluator: "field", primaryMetric: "a", metrics: { a: 1 } });
    }
    registry.register("arrow", (config) => new Mock(config));
    registry.register("function", function make(config) {
      return new Mock(config);
    });
    registry.register("bound", ((config: object) => new Mock({ ...config })).bind(null));
    registry.register("old", old);
    registry.register("field", Field);
    registry.register("later", async (config) => new Mock(config));
    for (const type of ["arrow", "function", "bound", "old", "field"]) {
      expect(registry.get({ type })).toMatchObject({ config: { type } });
    }
    const promise = registry.get({ type: "later" });
    expect(promise).toBeInstanceOf(Promise);
    expect(await promise).toBeInstanceOf(Mock);
  });

  it("gives nothing without a configuration, and an error for one without a type", () => {
    const registry = createEvaluatorRegistry();
    expect(registry.get()).toBeUndefined();
    expect(registry.get(null)).toBeUndefined();
    for (const type of [undefined, "", 7, null, ["mock"]]) {
      expect(codeOf(() => registry.get({ type }))).toBe("EVALUATION_CONFIG");
      expect(codeOf(() => registry.get({ type }, { allowMissing: true }))).toBe("EVALUATION_CONFIG");
    }
    expect(codeOf(() => registry.get("mock" as never))).toBe("EVALUATION_CONFIG");
  });

  it("names all registered evaluators where the type is unknown", () => {
    const registry = createEvaluatorRegistry();
    registry.register("zeta", Mock);
    registry.register("alpha", Mock);
    expect(codeOf(() => registry.get({ type: "beta" }))).toBe("NAME_UNKNOWN");
    expect(() => registry.get({ type: "beta" })).toThrow(/No such evaluator.*Registered: alpha, zeta\./);
    expect(codeOf(() => registry.get({ type: "Alpha" }))).toBe("NAME_UNKNOWN");
    expect(registry.get({ type: "beta" }, { allowMissing: true })).toBeUndefined();
    expect(registry.registeredNames()).toEqual(["alpha", "zeta"]);
  });

  it("refuses a taken name without replace, and what is no factory", () => {
    const registry = createEvaluatorRegistry();
    registry.register("mock", Mock);
    expect(codeOf(() => registry.register("mock", Mock))).toBe("NAME_TAKEN");
    registry.register("mock", () => ({ evaluate: () => ({}) as never }), { replace: true });
    expect(registry.get({ type: "mock" })).not.toBeInstanceOf(Mock);
    expect(codeOf(() => registry.register("x", new Mock({}) as never))).toBe("EVALUATION_CONFIG");
    expect(codeOf(() => registry.register("x", null as never))).toBe("EVALUATION_CONFIG");
    expect(codeOf(() => registry.register("", Mock))).toBe("NAME_INVALID");
    registry.unregister("mock");
    registry.unregister("never there");
    expect(registry.has("mock")).toBe(false);
  });

  it("refuses what a factory made where it cannot evaluate", async () => {
    const registry = createEvaluatorRegistry();
    const trap = Object.defineProperty({}, "evaluate", {
      get: () => {
        throw new Error("trapped");
      },
    });
    for (const made of [undefined, null, 1, {}, { evaluate: true }, trap]) {
      registry.register("bad", () => made as never, { replace: true });
      expect(codeOf(() => registry.get({ type: "bad" }))).toBe("EVALUATION_CONFIG");
    }
    registry.register("later", async () => ({}) as never);
    await expect(registry.get({ type: "later" })).rejects.toThrow("made a plain object");
  });

  it("lets the factory's own error through", () => {
    const registry = createEvaluatorRegistry();
    registry.register("broken", () => {
      throw new Error("boom");
    });
    expect(() => registry.get({ type: "broken" })).toThrow("boom");
  });

  it("puts parsed options in place and leaves all other keys alone", () => {
    class Options extends Mock {
      static options = z.object({
        depth: z.coerce.number().default(2),
        mode: z.enum(["a", "b"]).default("a"),
      });
    }
    const registry = createEvaluatorRegistry();
    registry.register("options", Options);
    const made = registry.get({ type: "options", depth: "5", every: 3, other: [1] }) as Options;
    expect(made.config).toEqual({ type: "options", depth: 5, mode: "a", every: 3, other: [1] });
    expect(codeOf(() => registry.get({ type: "options", mode: "c" }))).toBe("EVALUATION_CONFIG");
    expect(() => registry.get({ type: "options", mode: "c", depth: "x" })).toThrow(
      /"options".*depth = "x": expected a number; mode = "c": expected one of "a", "b"\./,
    );
  });

  it("does not show common keys to the options schema, and reports faults of the whole table", () => {
    const registry = createEvaluatorRegistry();
    const strict = Object.assign(() => new Mock({}), { options: z.strictObject({}) });
    registry.register("strict", strict);
    expect(registry.get({ type: "strict", fail_on_error: true, limit: 3 })).toBeInstanceOf(Mock);
    expect(() => registry.get({ type: "strict", depth: 1 })).toThrow(/"strict" are not usable: .*depth/);
  });

  it("tells what evaluators declare", () => {
    class Declared extends Mock {
      static metrics = { score: { higherIsBetter: true, unit: "fraction" } };
      static primaryMetric = "score";
      static description = "Scores.";
    }
    const registry = createEvaluatorRegistry();
    registry.register("plain", Mock);
    registry.register("declared", Declared);
    expect(registry.list()).toEqual([
      { name: "declared", description: "Scores." },
      { name: "plain", description: "" },
    ]);
    expect(registry.entries()).toEqual([
      { name: "declared", description: "Scores.", metrics: Declared.metrics, primaryMetric: "score" },
      { name: "plain", description: "" },
    ]);
    expect(registry.declarations("plain")).toEqual({});
    expect(codeOf(() => registry.declarations("none"))).toBe("NAME_UNKNOWN");
  });

  it("holds the built-in evaluators, each with a description, metrics and a primary one among them", () => {
    const builtIn = shared.entries().filter(({ name }) => ["classification", "regression"].includes(name));
    expect(builtIn).toHaveLength(2);
    for (const { description, metrics, primaryMetric } of builtIn) {
      expect(description).not.toBe("");
      expect(Object.keys(metrics ?? {})).toContain(primaryMetric);
    }
  });
});
