import { describe, expect, it } from "vitest";
import type { ElenchusError } from "../../src/base/index.js";
import { dueEvaluations, evaluationTables, tableEntries } from "../../src/evaluators/index.js";

const faultOf = (evaluation: unknown) => {
  try {
    evaluationTables({ evaluation });
  } catch (error) {
    return `${(error as ElenchusError).code}: ${(error as Error).message}`;
  }
  return "no fault";
};

describe("evaluationTables", () => {
  it("fills the defaults of one table in and keeps its options", () => {
    expect(evaluationTables({ evaluation: { type: "mock", depth: 2 } })).toEqual([
      {
        type: "mock",
        name: "mock",
        fail_on_error: false,
        every: 1,
        timeout: 3600,
        on_clients: false,
        log_samples: false,
        limit: -1,
        depth: 2,
      },
    ]);
  });

  it("takes a list, in its order, and leaves what it was given alone", () => {
    const evaluation = Object.freeze([
      Object.freeze({ type: "b", name: "Second Look", every: 5 }),
      Object.freeze({ type: "a" }),
    ]);
    expect(evaluationTables({ evaluation }).map(({ name, every }) => [name, every])).toEqual([
      ["Second Look", 5],
      ["a", 1],
    ]);
  });

  it.each([undefined, null, 7, {}, { evaluation: undefined }, { evaluation: null }, { evaluation: "mock" }])(
    "finds none in %j",
    (config) => expect(evaluationTables(config)).toEqual([]),
  );

  it.each([[{}], [{ type: "" }], [{ type: " " }], [{ type: 3 }], [{ type: null }], [[]], [[3, null, {}]]])(
    "counts a table without a usable type as none: %j",
    (evaluation) => expect(evaluationTables({ evaluation })).toEqual([]),
  );

  it.each<[unknown, string]>([
    [{ type: "a", every: 0 }, "every"],
    [{ type: "a", every: 1.5 }, "every"],
    [{ type: "a", timeout: 0 }, "timeout"],
    [{ type: "a", timeout: "10" }, "timeout"],
    [{ type: "a", fail_on_error: "false" }, "fail_on_error"],
    [{ type: "a", limit: 0 }, "limit"],
    [{ type: "a", limit: -2 }, "limit"],
    [{ type: "a", target: Number.NaN }, "target"],
    [{ type: "a", primary_metric: "" }, "primary_metric"],
    [{ type: "a", name: 3 }, "name"],
    [{ type: "🙂" }, "nothing of its name is left"],
    [{ type: "a", name: "" }, "nothing of its name is left"],
    [[{ type: "a" }, { type: "a" }], "evaluation_a_"],
    [[{ type: "a-b" }, { type: "x", name: "A b" }], "evaluation_a_b_"],
  ])("refuses %j", (evaluation, key) => {
    expect(faultOf(evaluation)).toMatch(/^EVALUATION_CONFIG: The evaluation table/);
    expect(faultOf(evaluation)).toContain(key);
  });

  it("gives a fault to every table of a shared column, and to no other", () => {
    const entries = tableEntries({
      evaluation: [{ type: "a" }, { type: "b", fail_on_error: true }, { type: "A" }],
    });
    expect(entries.map(({ fault }) => fault !== undefined)).toEqual([true, false, true]);
    expect(entries.map(({ failOnError }) => failOnError)).toEqual([false, true, false]);
    expect(entries.map(({ index }) => index)).toEqual([0, 1, 2]);
  });
});

describe("dueEvaluations", () => {
  const config = {
    evaluation: [{ type: "each" }, { type: "third", every: 3 }, { type: "faulty", every: -1 }],
  };
  const due = (round: number, lastRound = false, names?: string[]) =>
    dueEvaluations(config, { round, lastRound, names }).map(({ name }) => name);

  it("asks for those whose `every` divides the round, and all in the last", () => {
    expect(due(0)).toEqual(["each", "third", "faulty"]);
    expect(due(1)).toEqual(["each", "faulty"]);
    expect(due(3)).toEqual(["each", "third", "faulty"]);
    expect(due(4, true)).toEqual(["each", "third", "faulty"]);
  });

  it("asks only for those named, due or not", () => {
    expect(due(1, false, ["third"])).toEqual(["third"]);
    expect(due(1, true, [])).toEqual([]);
  });
});
