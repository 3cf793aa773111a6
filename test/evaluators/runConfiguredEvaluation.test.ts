import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createLogger, type ElenchusError, type Logger } from "../../src/base/index.js";
import {
  type ConfiguredEvaluation,
  createEvaluatorRegistry,
  type EvaluationInput,
  EvaluationPending,
  EvaluationResult,
  type EvaluationResultInit,
  EvaluationSkipped,
  Evaluator,
  type EvaluatorLike,
  runConfiguredEvaluation,
  TrainingContext,
} from "../../src/evaluators/index.js";

const registry = createEvaluatorRegistry();
let context: TrainingContext;
let lines: string[];
let logger: Logger;

beforeEach(() => {
  context = new TrainingContext({ currentRound: 1 });
  lines = [];
  logger = createLogger("info", (line, level) => lines.push(`${level}: ${line}`));
});
afterEach(() => {
  for (const name of registry.registeredNames()) registry.unregister(name);
});

/** Registers an evaluator that does `evaluate`. */
function define(name: string, evaluate: (request: EvaluationInput) => unknown, declared: object = {}): void {
  const factory = (config: unknown) => ({ config, evaluate }) as EvaluatorLike;
  registry.register(name, Object.assign(factory, declared), { replace: true });
}

const fields = (evaluator: string, metrics: Record<string, number>): EvaluationResultInit => ({
  evaluator,
  primaryMetric: Object.keys(metrics)[0]!,
  metrics,
});

const run = (evaluation: unknown, more: Partial<ConfiguredEvaluation> = {}) =>
  runConfiguredEvaluation({ context, config: { evaluation }, registry, logger, ...more });

const state = () => Object.fromEntries(context.state);

describe("an evaluator that succeeds", () => {
  it("leaves its payload, its headline and its status in the state, and is returned", async () => {
    define("mock", () => new EvaluationResult(fields("mock", { mock_score: 0.8, aux_metric: 0.2 })));
    const result = await run({ type: "mock" });
    expect(result).toBeInstanceOf(EvaluationResult);
    expect(result?.primaryValue).toBe(0.8);
    expect(state()).toStrictEqual({
      evaluation_results: {
        mock: {
          evaluator: "mock",
          primary_metric: "mock_score",
          metrics: { mock_score: 0.8, aux_metric: 0.2 },
          higher_is_better: {},
          metadata: {},
          artifacts: {},
          primary_value: 0.8,
        },
      },
      evaluation_primary: { evaluator: "mock", metric: "mock_score", value: 0.8 },
      evaluation_status: { mock: { status: "ok", reason: null, duration: expect.any(Number) } },
    });
    expect(lines).toEqual([]);
  });

  it("is given everything the round knows, and the table with its defaults", async () => {
    let seen: EvaluationInput | undefined;
    let table: unknown;
    registry.register("mock", (config) => {
      table = config;
      return {
        evaluate(request) {
          seen = request;
          return fields("mock", { a: 1 });
        },
      };
    });
    const config = { evaluation: { type: "mock", depth: 4 } };
    const given = { model: {}, trainer: { tokenizer: {} }, testset: [], sampler: {}, localMetric: 0.5 };
    context.clientId = 7;
    await run(undefined, { ...given, config });
    expect(seen).toMatchObject({ localMetric: 0.5, round: 1, clientId: 7 });
    for (const key of ["model", "trainer", "testset", "sampler"] as const)
      expect(seen?.[key]).toBe(given[key]);
    expect(seen?.tokenizer).toBe(given.trainer.tokenizer);
    expect(seen?.context).toBe(context);
    expect(seen?.config).toBe(config);
    expect(seen?.signal.aborted).toBe(false);
    expect(table).toMatchObject({ type: "mock", name: "mock", depth: 4, limit: -1, fail_on_error: false });
  });

  it("draws from the same seed in every round, and another than its neighbour's", async () => {
    const seeds: number[] = [];
    define("mock", ({ seed }) => {
      seeds.push(seed);
      return fields("mock", { a: 1 });
    });
    const evaluation = [{ type: "mock" }, { type: "mock", name: "other" }];
    for (const currentRound of [1, 2]) {
      await run(evaluation, { context: new TrainingContext({ currentRound }) });
    }
    await run(undefined, { config: { evaluation, trainer: { random_seed: 2 } } });
    expect(seeds[0]).toBe(seeds[2]);
    expect(seeds[1]).toBe(seeds[3]);
    expect(new Set(seeds).size).toBe(4);
  });

  it("may return a promise, and a plain object", async () => {
    define("mock", async () => fields("mock", { a: 1 }));
    expect((await run({ type: "mock" }))?.metrics).toEqual({ a: 1 });
  });

  it("is `partial` where it used a sample", async () => {
    define("mock", () => ({ ...fields("mock", { a: 1 }), sampled: { used: 2, total: 3 } }));
    await run({ type: "mock" });
    expect(state().evaluation_status).toMatchObject({
      mock: { status: "partial", reason: "used 2 of 3 examples" },
    });
    define("mock", () => ({ ...fields("mock", { a: 1 }), sampled: { used: 3, total: 3 } }));
    await run({ type: "mock" });
    expect(state().evaluation_status).toMatchObject({ mock: { status: "ok", reason: null } });
  });

  it("works without a context", async () => {
    define("mock", ({ round, clientId }) => fields("mock", { round, clientId }));
    const result = await runConfiguredEvaluation({ config: { evaluation: { type: "mock" } }, registry });
    expect(result?.metrics).toEqual({ round: 0, clientId: 0 });
  });
});

describe("the state between rounds", () => {
  it("holds exactly the results of the evaluator configured now", async () => {
    define("eval_a", () => fields("eval_a", { metric_a: 1 }));
    define("eval_b", () => fields("eval_b", { metric_b: 2 }));
    await run({ type: "eval_a" });
    await run({ type: "eval_b" });
    expect(state().evaluation_results).toStrictEqual({
      eval_b: {
        evaluator: "eval_b",
        primary_metric: "metric_b",
        metrics: { metric_b: 2 },
        higher_is_better: {},
        metadata: {},
        artifacts: {},
        primary_value: 2,
      },
    });
    expect(Object.keys(state().evaluation_status as object)).toEqual(["eval_b"]);
  });

  it("is keyed by the name the result carries for one table, and by the tables' names for several", async () => {
    define("mock", () => fields("called otherwise", { a: 1 }));
    await run({ type: "mock", name: "mine" });
    expect(Object.keys(state().evaluation_results as object)).toEqual(["called otherwise"]);
    expect(Object.keys(state().evaluation_status as object)).toEqual(["mine"]);
    await run([{ type: "mock" }, { type: "mock", name: "mine" }]);
    expect(Object.keys(state().evaluation_results as object)).toEqual(["mock", "mine"]);
    expect(Object.keys(state().evaluation_status as object)).toEqual(["mock", "mine"]);
  });

  it.each([[undefined], [null], [{}], [{ type: "" }], [{ type: 5 }], [[]]])(
    "is cleared, without a word, where the table is %j",
    async (evaluation) => {
      define("mock", () => fields("mock", { a: 1 }));
      await run({ type: "mock" });
      context.state.set("token_count", 12);
      expect(await run(evaluation)).toBeUndefined();
      expect(state()).toEqual({ token_count: 12 });
      expect(lines).toEqual([]);
    },
  );

  it("is cleared where the evaluator is not due", async () => {
    define("mock", () => fields("mock", { a: 1 }));
    context.currentRound = 2;
    await run({ type: "mock", every: 2 });
    expect(context.state.has("evaluation_primary")).toBe(true);
    context.currentRound = 3;
    expect(await run({ type: "mock", every: 2 })).toBeUndefined();
    expect(state()).toEqual({});
  });

  it("survives whatever an evaluator writes there", async () => {
    define("mock", (request) => {
      request.context.state.set("evaluation_results", "mine");
      request.context.state.set("evaluation_status", null);
      return fields("mock", { a: 1 });
    });
    await run({ type: "mock" });
    expect(state()).toMatchObject({
      evaluation_results: { mock: { primary_value: 1 } },
      evaluation_status: { mock: { status: "ok" } },
    });
  });

  it("has no headline of an evaluator that wrote one and failed", async () => {
    define("mock", (request) => {
      request.context.state.set("evaluation_primary", { evaluator: "mock", metric: "a", value: 1 });
      throw new Error("boom");
    });
    await run({ type: "mock" });
    expect(Object.keys(state())).toEqual(["evaluation_status"]);
  });

  it("takes `__proto__` as a name like any other", async () => {
    define("__proto__", () => fields("__proto__", { a: 1 }));
    await run({ type: "__proto__" });
    const kept = structuredClone(state());
    expect(Object.keys(kept.evaluation_results as object)).toEqual(["__proto__"]);
    expect(Object.keys(kept.evaluation_status as object)).toEqual(["__proto__"]);
    expect(({} as { a?: unknown }).a).toBeUndefined();
  });
});

describe("a foreign loop's own context", () => {
  const seen: [unknown, number, number][] = [];
  beforeEach(() => {
    seen.length = 0;
    define("mock", ({ context: given, round, clientId }) => {
      seen.push([given, round, clientId]);
      return fields("mock", { a: 1 });
    });
  });
  const evaluation = [{ type: "mock" }, { type: "mock", name: "third", every: 3 }];

  it("need not say which round it is: all are due, as in round 0", async () => {
    const own = { state: new Map() };
    await run(evaluation, { context: own });
    expect(seen).toEqual([
      [own, 0, 0],
      [own, 0, 0],
    ]);
    expect(seen[0]![0]).toBe(own);
    expect(Object.keys(own.state.get("evaluation_results"))).toEqual(["mock", "third"]);
  });

  it.each([[Number.NaN], [1.5], ["2"], [null], [Number.POSITIVE_INFINITY]])(
    "counts a round and client of %o as 0",
    async (value) => {
      const own = { state: new Map(), currentRound: value as number, clientId: value as number };
      await run(evaluation, { context: own });
      expect(seen.map(([, ...numbers]) => numbers)).toEqual([
        [0, 0],
        [0, 0],
      ]);
    },
  );

  it("says its round and client like any other", async () => {
    await run(evaluation, { context: { state: new Map(), currentRound: 2, clientId: 7 } });
    expect(seen.map(([, ...numbers]) => numbers)).toEqual([[2, 7]]);
  });

  it("is given a state where it has none", async () => {
    const own: { state?: Map<string, unknown>; currentRound: number } = { currentRound: 3 };
    await run(evaluation, { context: own });
    expect([...own.state!.keys()].sort()).toEqual([
      "evaluation_primary",
      "evaluation_results",
      "evaluation_status",
    ]);
  });

  it.each([
    ["is no Map", { state: {} }, "its state is a plain object"],
    ["cannot be made", Object.freeze({}), "none can be put there"],
  ])("is refused where its state %s", async (_, own, found) => {
    await expect(run(evaluation, { context: own as never })).rejects.toMatchObject({
      code: "USAGE",
      message: expect.stringContaining(found),
    });
    expect(seen).toEqual([]);
  });
});

describe("failures", () => {
  const factoryFailure = () => {
    throw new Error("no weights file");
  };
  const cases: [string, () => void, object, string, string][] = [
    [
      "an error",
      () => define("bad", () => Promise.reject(new Error("boom"))),
      {},
      "EVALUATION_FAILED",
      "boom",
    ],
    ["an unknown type", () => {}, {}, "NAME_UNKNOWN", "No such evaluator"],
    [
      "a factory's error",
      () => registry.register("bad", factoryFailure),
      {},
      "EVALUATION_FAILED",
      "no weights file",
    ],
    ["an invalid result", () => define("bad", () => 0.5), {}, "RESULT_INVALID", "the number 0.5"],
    [
      "a metric of NaN",
      () => define("bad", () => fields("bad", { a: Number.NaN })),
      {},
      "RESULT_INVALID",
      "NaN",
    ],
    [
      "a bad table",
      () => define("bad", () => fields("bad", { a: 1 })),
      { every: 0 },
      "EVALUATION_CONFIG",
      "every",
    ],
    [
      "an unknown primary metric",
      () => define("bad", () => fields("bad", { a: 1 })),
      { primary_metric: "f1" },
      "EVALUATION_CONFIG",
      '"f1"',
    ],
    [
      "a target without a direction",
      () => define("bad", () => fields("bad", { a: 1 })),
      { target: 1 },
      "EVALUATION_CONFIG",
      "direction",
    ],
    [
      "colliding columns",
      () => define("bad", () => fields("bad", { a: 1, A: 2 })),
      {},
      "RESULT_INVALID",
      "both take",
    ],
  ];

  it.each(cases)("tolerates %s: logged once, cleared, recorded", async (_, prepare, table, _code, cause) => {
    define("good", () => fields("good", { a: 1 }));
    await run({ type: "good" });
    prepare();
    expect(await run({ type: "bad", ...table })).toBeUndefined();
    expect(state()).toEqual({
      evaluation_status: {
        bad: { status: "failed", reason: expect.stringContaining(cause), duration: expect.any(Number) },
      },
    });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(cause);
    expect(lines[0]).toMatch(/^error: The evaluator "bad" failed/);
  });

  it.each(cases)(
    "with fail_on_error ends by %s, the cause in the message",
    async (_, prepare, table, code, cause) => {
      prepare();
      const error: ElenchusError = await run({ type: "bad", fail_on_error: true, ...table }).then(
        () => expect.fail("went on"),
        (thrown) => thrown,
      );
      expect(error.code).toBe("EVALUATION_FAILED");
      expect(error.message.split(cause)).toHaveLength(2);
      // The error says why, and the log need not.
      expect(lines).toEqual([
        'error: The evaluator "bad" failed. Its fail_on_error is true: the run ends when those after it have run.',
      ]);
      expect(error.cause).toBeDefined();
      expect(error.details).toMatchObject({ evaluators: [{ name: "bad", error: { code } }] });
      expect(Object.keys(state())).toEqual(["evaluation_status"]);
    },
  );

  it("of one table let all others run before the run ends", async () => {
    const order: string[] = [];
    for (const name of ["first", "second"]) {
      define(name, () => {
        order.push(name);
        throw new Error(`${name} broke`);
      });
    }
    define("third", () => {
      order.push("third");
      return fields("third", { a: 3 });
    });
    const tables = [
      { type: "first", fail_on_error: true },
      { type: "second", fail_on_error: true },
      { type: "third" },
    ];
    await expect(run(tables)).rejects.toThrow(/first broke.*second broke/);
    expect(order).toEqual(["first", "second", "third"]);
    expect(state()).toMatchObject({
      evaluation_results: { third: { primary_value: 3 } },
      evaluation_status: {
        first: { status: "failed" },
        second: { status: "failed" },
        third: { status: "ok" },
      },
    });
    expect(context.state.has("evaluation_primary")).toBe(false);
  });

  it("of a tolerated neighbour do not end a run that is strict elsewhere", async () => {
    define("good", () => fields("good", { a: 1 }));
    const result = await run([{ type: "good", fail_on_error: true }, { type: "gone" }]);
    expect(result?.primaryValue).toBe(1);
  });

  it("are no matter where an evaluator says that it does not apply, or that a job goes on elsewhere", async () => {
    define("skips", () => {
      throw new EvaluationSkipped("no text in this test set");
    });
    define("waits", async () => {
      throw new EvaluationPending("job 17");
    });
    const tables = [
      { type: "skips", fail_on_error: true },
      { type: "waits", fail_on_error: true },
    ];
    expect(await run(tables)).toBeUndefined();
    expect(state()).toMatchObject({
      evaluation_status: {
        skips: { status: "skipped", reason: "no text in this test set" },
        waits: { status: "pending", reason: "job 17" },
      },
    });
    expect(context.state.has("evaluation_results")).toBe(false);
  });
});

describe("primary metric and target", () => {
  it("takes the table's primary metric over the result's", async () => {
    define("mock", () => fields("mock", { a: 1, b: 2 }));
    const result = await run({ type: "mock", primary_metric: "b" });
    expect(result?.primaryMetric).toBe("b");
    expect(state().evaluation_primary).toEqual({ evaluator: "mock", metric: "b", value: 2 });
  });
});

describe("an override", () => {
  const override = (type: unknown) =>
    new (class extends Evaluator {
      evaluate = () => fields("override", { o: 9 });
    })({ type });

  it("is used where its own type is the configured one; the registry is not asked", async () => {
    expect(
      (await run({ type: "unregistered" }, { evaluatorOverride: override("unregistered") }))?.evaluator,
    ).toBe("override");
    expect(lines).toEqual([]);
  });

  it("is ignored with one warning where its type differs", async () => {
    define("mock", () => fields("mock", { a: 1 }));
    for (const other of [override("Mock"), override(undefined), { evaluate: () => fields("x", { x: 1 }) }]) {
      lines = [];
      const tables = [{ type: "mock" }, { type: "mock", name: "two" }];
      expect((await run(tables, { evaluatorOverride: other }))?.evaluator).toBe("mock");
      expect(lines).toHaveLength(1);
      expect(lines[0]).toMatch(/^warn: The evaluator override is ignored/);
    }
  });

  it("fails like any other evaluator", async () => {
    const broken = { config: { type: "mock" }, evaluate: undefined } as unknown as EvaluatorLike;
    await expect(run({ type: "mock", fail_on_error: true }, { evaluatorOverride: broken })).rejects.toThrow(
      "evaluate is not a function",
    );
  });
});
