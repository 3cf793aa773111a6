import { describe, expect, it } from "vitest";
import { createLogger } from "../../src/base/index.js";
import {
  createEvaluatorRegistry,
  EVALUATION_STATE_KEYS,
  type EvaluationInput,
  type EvaluationOutcome,
  evaluateRound,
  TrainingContext,
} from "../../src/evaluators/index.js";

const throwing = {
  get: () => {
    throw new Error("trapped");
  },
};
const result = (metrics: Record<string, unknown>) => ({
  evaluator: "hostile",
  primaryMetric: Object.keys(metrics)[0],
  metrics,
});

/** The outcome of a hostile evaluator and that of a good one after it. */
async function outcomesWith(
  evaluate: (request: EvaluationInput) => unknown,
  seenByTheGood: (request: EvaluationInput) => void = () => {},
): Promise<EvaluationOutcome[]> {
  const registry = createEvaluatorRegistry();
  registry.register("hostile", () => ({ evaluate }) as never);
  const good = (request: EvaluationInput) => {
    seenByTheGood(request);
    return result({ a: 1 });
  };
  registry.register("good", () => ({ evaluate: good }) as never);
  const lines: string[] = [];
  const context = new TrainingContext({ currentRound: 1 });
  const { state } = context;
  const round = {
    config: { evaluation: [{ type: "hostile", timeout: 1 }, { type: "good" }] },
    context,
    registry,
    logger: createLogger("info", (line) => lines.push(line)),
  };
  const outcomes: EvaluationOutcome[] = [];
  for await (const { outcome } of evaluateRound(round)) outcomes.push(outcome);
  expect(lines).toHaveLength(outcomes.filter(({ status }) => status === "failed").length);
  for (const line of lines) expect(line.length).toBeLessThan(5000);
  // Whatever came in, what goes on is plain data of bounded size in its messages.
  expect(structuredClone(outcomes)).toEqual(outcomes);
  expect(structuredClone(state).size).toBeGreaterThan(0);
  return outcomes;
}

const throws = (thrown: unknown) => () => {
  throw thrown;
};
const { proxy: revoked, revoke } = Proxy.revocable({}, {});
revoke();

describe("an evaluator that misbehaves harms only itself", () => {
  it.each<[string, () => unknown]>([
    ["throws undefined", throws(undefined)],
    ["throws null", throws(null)],
    ["throws a string", throws("text")],
    ["throws a number", throws(0)],
    ["throws an object", throws({ code: "ENOENT" })],
    ["throws a circle", throws(Object.assign([], { 0: globalThis }))],
    ["throws a function", throws(() => {})],
    ["throws a symbol", throws(Symbol("s"))],
    ["throws a proxy of nothing", throws(revoked)],
    [
      "throws an error whose message throws",
      throws(Object.defineProperty(new Error("x"), "message", throwing)),
    ],
    ["throws an error whose message is an object", throws(Object.assign(new Error("x"), { message: {} }))],
    [
      "throws an error whose message cannot be text",
      throws(Object.assign(new Error("x"), { message: Symbol("s") })),
    ],
    ["throws an error whose name throws", throws(Object.defineProperty(new Error("x"), "name", throwing))],
    [
      "throws an error whose code throws",
      throws(Object.defineProperty({ name: "ElenchusError" }, "code", throwing)),
    ],
    ["throws an endless message", throws(new Error("x".repeat(10_000_000)))],
    ["rejects with nothing", () => Promise.reject()],
    ["returns nothing", () => undefined],
    ["returns a number", () => 1],
    [
      "returns a thenable whose then throws",
      () => Object.defineProperty({}, ["th", "en"].join(""), throwing),
    ],
    ["returns NaN", () => result({ a: Number.NaN })],
    ["returns Infinity", () => result({ a: Number.POSITIVE_INFINITY })],
    ["returns text for a number", () => result({ a: "1" })],
    [
      "returns a field that throws",
      () => Object.defineProperty(result({ a: 1 }), "evaluator", { ...throwing, enumerable: true }),
    ],
    [
      "returns a metric that throws",
      () => result(Object.defineProperty({ a: 1 }, "b", { ...throwing, enumerable: true })),
    ],
    ["returns a revoked proxy", () => revoked],
    ["returns a proxy without end", () => new Proxy(result({ a: 1 }), { ownKeys: throwing.get })],
    ["returns metadata that cannot be copied", () => ({ ...result({ a: 1 }), metadata: { f: () => 1 } })],
    ["returns a name of which nothing is left", () => result({ a: 1, "🙂": 2 })],
    ["returns two names for one column", () => result({ "a,b": 1, "a\nb": 2 })],
  ])("%s", async (_, evaluate) => {
    const [hostile, good] = await outcomesWith(evaluate);
    expect(hostile?.status).toBe("failed");
    expect(hostile?.result).toBeNull();
    expect(typeof hostile?.reason).toBe("string");
    expect(good).toMatchObject({ status: "ok", result: { metrics: { a: 1 } } });
  });

  it("gives 10,000 metrics, which are recorded like any others", async () => {
    const metrics = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`m${index}`, index]));
    const [hostile] = await outcomesWith(() => result(metrics));
    expect(hostile?.status).toBe("ok");
    expect(hostile?.result?.metrics).toEqual(metrics);
  });

  it("uses names of every kind, which are kept as they are", async () => {
    const names = ["__proto__", "constructor", "a,b", '"quoted"', "line\nfeed", "emoji 🙂", "ÄÖÜ x"];
    const [hostile] = await outcomesWith(() => ({
      evaluator: "__proto__",
      primaryMetric: "__proto__",
      metrics: new Map(names.map((name, index) => [name, index])),
      details: new Map([["valueOf", 1]]),
    }));
    expect(hostile?.status).toBe("ok");
    expect(Object.keys(hostile?.result?.metrics ?? {})).toEqual(names);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  it.each<[string, (context: TrainingContext) => void]>([
    ["replaces the state", (context) => Object.assign(context, { state: undefined })],
    ["redefines the state", (context) => Object.defineProperty(context, "state", { value: new Map() })],
    ["removes the state", (context) => Reflect.deleteProperty(context, "state") || throws("not to be")()],
    ["changes how the state is read", ({ state }) => Object.assign(state, throwing)],
    ["changes how the state is gone through", ({ state }) => Object.assign(state, { entries: undefined })],
  ])("%s, which is its failure alone", async (_, change) => {
    let sizeSeen = 0;
    const evaluate = ({ context }: EvaluationInput) => {
      context.state.set("mine", 1);
      change(context);
      return result({ a: 1 });
    };
    const [hostile, good] = await outcomesWith(evaluate, ({ context }) => {
      sizeSeen = context.state.size;
    });
    expect([hostile?.status, good?.status]).toEqual(["failed", "ok"]);
    // What the first has left, and its status.
    expect(sizeSeen).toBe(2);
  });

  it.each([
    ["text", "text"],
    ["a list", [1]],
    ["a revoked proxy", revoked],
    ["a map whose entry throws", Object.defineProperty({}, "old", { ...throwing, enumerable: true })],
  ])("puts %s where results and statuses are kept", async (_, value) => {
    let context: TrainingContext | undefined;
    const evaluate = (request: EvaluationInput) => {
      context = request.context;
      for (const key of EVALUATION_STATE_KEYS) context.state.set(key, value);
      return result({ a: 1 });
    };
    const [hostile, good] = await outcomesWith(evaluate);
    expect([hostile?.status, good?.status]).toEqual(["ok", "ok"]);
    expect(Object.keys(context?.state.get("evaluation_status") as object)).toEqual(["hostile", "good"]);
    expect(Object.keys(context?.state.get("evaluation_results") as object)).toEqual(["hostile", "good"]);
  });

  it("changes what it was given, and its neighbours see none of it", async () => {
    let round: number | undefined;
    const evaluate = (request: EvaluationInput) => {
      Object.assign(request, { round: 99, config: null });
      Object.assign(request.context, { currentRound: Number.NaN });
      return result({ a: 1 });
    };
    const [hostile, good] = await outcomesWith(evaluate, (request) => {
      round = request.round;
    });
    expect([hostile?.status, good?.status]).toEqual(["ok", "ok"]);
    expect(round).toBe(1);
  });
});
