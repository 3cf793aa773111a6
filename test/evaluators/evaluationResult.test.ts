import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ElenchusError, messageOf } from "../../src/base/index.js";
import { EvaluationResult, type EvaluationResultInit } from "../../src/evaluators/index.js";

const minimal = { evaluator: "mock", primaryMetric: "score", metrics: { score: 0.8 } };

/** The message of the refusal; fails where nothing was refused or with another code. */
function refusal(init: unknown): string {
  try {
    EvaluationResult.from(init);
  } catch (error) {
    expect((error as ElenchusError).code).toBe("RESULT_INVALID");
    return messageOf(error);
  }
  throw new Error("was accepted");
}

describe("EvaluationResult", () => {
  it("gives the seven keys, empty maps kept", () => {
    const result = new EvaluationResult(minimal);
    expect(result.primaryValue).toBe(0.8);
    expect(result.toPayload()).toStrictEqual({
      evaluator: "mock",
      primary_metric: "score",
      metrics: { score: 0.8 },
      higher_is_better: {},
      metadata: {},
      artifacts: {},
      primary_value: 0.8,
    });
    expect(JSON.parse(JSON.stringify(result))).toStrictEqual(result.toPayload());
    expect(Object.keys(result.toPayload())).toEqual([
      "evaluator",
      "primary_metric",
      "metrics",
      "higher_is_better",
      "metadata",
      "artifacts",
      "primary_value",
    ]);
  });

  it("says why it stands for less than the whole, and keeps that out of the payload", () => {
    const result = new EvaluationResult({ ...minimal, partial: "rows dropped" });
    expect(result.partial).toBe("rows dropped");
    expect(Object.keys(result.toPayload())).toHaveLength(7);
    expect(new EvaluationResult(minimal).partial).toBeNull();
    expect(refusal({ ...minimal, partial: "" })).toMatch(/partial is the string ""/);
  });

  it("keeps details, sums and the sample size out of the payload", () => {
    const result = new EvaluationResult({
      ...minimal,
      details: { easy: 0.9 },
      sums: {
        score: { numerator: 8, denominator: 10, transform: "identity" },
        easy: { numerator: 2, denominator: 1, transform: "exp" },
      },
      sampled: { used: 10, total: 40 },
    });
    expect(result.details).toEqual({ easy: 0.9 });
    expect(result.sums.score).toEqual({ numerator: 8, denominator: 10, transform: "identity" });
    expect(result.sampled).toEqual({ used: 10, total: 40 });
    expect(Object.keys(result.toPayload())).toHaveLength(7);
  });

  it("does not change when what it was made from, or a payload of it, does", () => {
    const metadata = { raw: { list: [1, 2] } };
    const metrics: Record<string, number> = { score: 1 };
    const result = new EvaluationResult({ ...minimal, metrics, metadata });
    metrics.score = 2;
    metadata.raw.list.push(3);
    (result.toPayload().metadata.raw as { list: number[] }).list.push(4);
    expect(result.primaryValue).toBe(1);
    expect(result.metadata).toEqual({ raw: { list: [1, 2] } });
    expect(() => (result.metadata.raw as { list: number[] }).list.push(5)).toThrow(TypeError);
  });

  it("takes Maps as well as plain objects, keeping their order", () => {
    const result = new EvaluationResult({
      ...minimal,
      metrics: new Map([
        ["z", 1],
        ["score", 2],
      ]),
      higherIsBetter: new Map([["z", false]]),
      metadata: new Map<string, unknown>([["note", "x"]]),
    });
    expect(Object.keys(result.metrics)).toEqual(["z", "score"]);
    expect(result.higherIsBetter).toEqual({ z: false });
    expect(result.metadata).toEqual({ note: "x" });
  });

  it("keeps the order of names like integers, which an object alone cannot", () => {
    const metrics = new Map([
      ["z", 1],
      ["10", 2],
      ["2", 3],
    ]);
    const details = new Map([
      ["9", 4],
      ["1", 5],
    ]);
    const result = new EvaluationResult({ evaluator: "e", primaryMetric: "z", metrics, details });
    expect(result.order).toEqual(["z", "10", "2", "9", "1"]);
    expect(EvaluationResult.from(result).order).toEqual(result.order);
    expect(new EvaluationResult({ ...result, primaryMetric: "2" }).order).toEqual(result.order);
  });

  it("takes an order beside plain objects; names it misses come last, names nothing has are passed over", () => {
    const given = { evaluator: "e", primaryMetric: "a", metrics: { "1": 1, a: 2, b: 3 }, details: { c: 4 } };
    const order = ["c", "b", "gone", "1", "b"];
    expect(EvaluationResult.from({ ...given, order }).order).toEqual(["c", "b", "1", "a"]);
    expect(EvaluationResult.from(given).order).toEqual(["1", "a", "b", "c"]);
    expect(() => EvaluationResult.from({ ...given, order: "a, b" })).toThrow(/order is the string/);
  });

  it("keeps any name as data", () => {
    const names = ["__proto__", "constructor", "hasOwnProperty", "a,b", 'say "hi"', "two\nlines", "🙂", " "];
    const metrics = new Map(names.map((name, index) => [name, index]));
    const result = new EvaluationResult({ evaluator: "e", primaryMetric: "__proto__", metrics });
    const payload = JSON.parse(JSON.stringify(result)) as { metrics: object };
    expect(Object.keys(payload.metrics)).toEqual(names);
    expect(Object.keys(structuredClone(result.toPayload()).metrics)).toEqual(names);
    expect(result.primaryValue).toBe(0);
    expect(({} as Record<string, unknown>)[0]).toBeUndefined();
    expect(refusal({ ...minimal, primaryMetric: "toString" })).toContain('"toString" is missing');
  });

  it("keeps every finite number under every name", () => {
    const names = fc.string({ unit: "binary", maxLength: 8 });
    const values = fc.double({ noNaN: true, noDefaultInfinity: true });
    fc.assert(
      fc.property(fc.array(fc.tuple(names, values), { minLength: 1 }), (entries) => {
        const metrics = new Map(entries);
        const primaryMetric = [...metrics.keys()].find((name) => name.trim() !== "");
        fc.pre(primaryMetric !== undefined);
        const { metrics: kept } = new EvaluationResult({ evaluator: "e", primaryMetric, metrics });
        expect(new Map(Object.entries(kept))).toEqual(metrics);
      }),
    );
  });

  it("accepts a result of another copy of the package, and a plain object, but nothing else", () => {
    class Foreign {
      evaluator = "mock";
      primaryMetric = "score";
      metrics = { score: 1 };
      own = "something of its own";
    }
    expect(refusal(new Foreign())).toContain("an instance of Foreign");
    Object.defineProperty(Foreign.prototype, Symbol.for("elenchus.EvaluationResult"), { value: true });
    expect(EvaluationResult.from(new Foreign()).primaryValue).toBe(1);
    expect(EvaluationResult.from(minimal)).toBeInstanceOf(EvaluationResult);
    expect(EvaluationResult.from(Object.assign(Object.create(null), minimal)).primaryValue).toBe(0.8);
    for (const other of [
      undefined,
      null,
      0.8,
      "0.8",
      true,
      [minimal],
      new Map(),
      () => minimal,
      Symbol("x"),
    ]) {
      expect(refusal(other)).toContain("expected an EvaluationResult or a plain object");
    }
  });

  it("lets a subclass add fields of its own", () => {
    class Mine extends EvaluationResult {
      extra = 1;
    }
    expect(EvaluationResult.from(new Mine(minimal)).primaryValue).toBe(0.8);
  });

  it.each<[string, object, string]>([
    ["an empty evaluator", { evaluator: " " }, "evaluator is the string"],
    ["no evaluator", { evaluator: undefined }, "evaluator is undefined"],
    ["no metrics", { metrics: undefined }, "metrics is missing"],
    ["metrics that are a list", { metrics: [1] }, "metrics is an array"],
    ["metrics under names that are no strings", { metrics: new Map([[1, 1]]) }, "metrics has the number 1"],
    ["a metric that is text", { metrics: { score: "1" } }, 'metrics["score"] is the string "1"'],
    ["a metric that is NaN", { metrics: { score: Number.NaN } }, "the number NaN"],
    ["a metric that is infinite", { metrics: { score: -1 / 0 } }, "the number -Infinity"],
    ["a metric that is a boolean", { metrics: { score: true } }, "a boolean"],
    ["a metric that is a big integer", { metrics: { score: 1n } }, "a bigint"],
    [
      "a primary metric it lacks",
      { primaryMetric: "f1" },
      '"f1" is missing from metrics; expected one of: "score"',
    ],
    ["no metrics at all", { metrics: {} }, "nothing, for there are no metrics"],
    ["a direction without a metric", { higherIsBetter: { f1: true } }, 'higherIsBetter has "f1"'],
    ["a direction that is text", { higherIsBetter: { score: "yes" } }, "expected true or false"],
    ["details that are NaN", { details: { easy: Number.NaN } }, 'details["easy"]'],
    [
      "sums of an unknown metric",
      { sums: { f1: { numerator: 1, denominator: 1, transform: "exp" } } },
      '"f1"',
    ],
    ["sums that are numbers", { sums: { score: 1 } }, "expected { numerator, denominator, transform }"],
    [
      "sums with a negative denominator",
      { sums: { score: { numerator: 1, denominator: -1, transform: "exp" } } },
      "denominator is -1",
    ],
    [
      "sums with an unknown transform",
      { sums: { score: { numerator: 1, denominator: 1, transform: "sqrt" } } },
      'transform is the string "sqrt"',
    ],
    ["a sample larger than the whole", { sampled: { used: 3, total: 2 } }, "sampled uses 3 of 2"],
    ["a negative sample", { sampled: { used: -1, total: 2 } }, "sampled uses -1 of 2"],
    ["a fraction as a sample", { sampled: { used: 0.5, total: 2 } }, "expected two whole numbers"],
    ["a sample that is a number", { sampled: 3 }, "sampled is the number 3"],
    ["a misspelt field", { higher_is_better: {} }, "did you mean higherIsBetter?"],
    ["a field nobody knows", { wheelbarrow: 1 }, "expected only evaluator, primaryMetric"],
  ])("refuses %s", (_, change, message) => {
    expect(refusal({ ...minimal, ...change })).toContain(message);
  });

  it.each<[string, unknown, string]>([
    ["a function", () => 1, 'metadata["x"] is a function'],
    ["a big integer", 1n, "a bigint"],
    ["a symbol", Symbol("s"), "a symbol"],
    ["NaN inside a list", [1, Number.NaN], 'metadata["x"][1] is NaN'],
    ["a hole in a list", new Array(1), 'metadata["x"][0] is undefined'],
    ["a typed array", new Float32Array(1), "an instance of Float32Array"],
    ["a date", { when: new Date(0) }, 'metadata["x"].when is an instance of Date'],
    ["an error", new Error("e"), "an instance of Error"],
  ])("refuses metadata with %s", (_, x, message) => {
    expect(refusal({ ...minimal, metadata: { x } })).toContain(message);
    expect(refusal({ ...minimal, artifacts: { x } })).toContain(message.replace("metadata", "artifacts"));
  });

  it("refuses metadata that contains itself or is nested without end, and takes shared parts twice", () => {
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    expect(refusal({ ...minimal, metadata: { circle } })).toContain("contains itself");
    let deep: unknown = null;
    for (let depth = 0; depth < 100_000; depth++) deep = [deep];
    expect(refusal({ ...minimal, metadata: { deep } })).toContain("deep");
    const shared = { a: 1 };
    expect(new EvaluationResult({ ...minimal, metadata: { one: shared, two: shared } }).metadata).toEqual({
      one: { a: 1 },
      two: { a: 1 },
    });
  });

  it("leaves undefined properties of metadata out, as JSON does", () => {
    const { metadata } = new EvaluationResult({ ...minimal, metadata: { a: { b: undefined, c: null } } });
    expect(metadata).toStrictEqual({ a: { c: null } });
  });

  it("reports getters and proxies that throw, and reads every field once", () => {
    const trap = Object.defineProperty({ ...minimal }, "metrics", {
      enumerable: true,
      get: () => {
        throw "no";
      },
    });
    expect(refusal(trap)).toBe("The result cannot be read: no.");
    const { proxy, revoke } = Proxy.revocable({ ...minimal }, {});
    revoke();
    expect(refusal(proxy)).toContain("cannot be read");

    let reads = 0;
    const changing = Object.defineProperty({ ...minimal }, "metrics", {
      enumerable: true,
      get: () => ({ score: reads++ === 0 ? 1 : Number.NaN }),
    }) as EvaluationResultInit;
    expect(new EvaluationResult(changing).primaryValue).toBe(1);
  });

  it("shortens lists and names in its messages", () => {
    const metrics = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, index) => [`metric ${index}`, index]),
    );
    const message = refusal({ evaluator: "e", primaryMetric: "x", metrics });
    expect(message).toContain("and 9980 more");
    expect(message.length).toBeLessThan(1000);
  });
});
