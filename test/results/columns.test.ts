import { describe, expect, it } from "vitest";
import { flattenRow, mergedDescription } from "../../src/results/flattenRow.js";
import { columnTypes, type RoundRecord } from "../../src/results/index.js";
import { failure, outcome, round } from "./fixtures.js";

const flat = (record: RoundRecord, evaluators: string[], types = ["round"]) =>
  flattenRow(record, { types, evaluators });
const names = (record: RoundRecord, evaluators: string[], types?: string[]) => [
  ...flat(record, evaluators, types).cells.keys(),
];

describe("the columns of `results.types`", () => {
  it("come as a comma string or a list, each once, and have a default", () => {
    expect(columnTypes(" round,accuracy ,, round")).toEqual(["round", "accuracy"]);
    expect(columnTypes(["b", "a", "b"])).toEqual(["b", "a"]);
    for (const none of [undefined, "", []]) {
      expect(columnTypes(none)).toEqual(["round", "accuracy", "elapsed_time"]);
    }
  });

  it("come first, in their order, filled from the items; other items are left out", () => {
    const { cells } = flat(round(2), [], ["elapsed_time", "round", "train_loss", "toString"]);
    expect([...cells]).toEqual([
      ["elapsed_time", "3"],
      ["round", "2"],
      ["train_loss", ""],
      ["toString", ""],
    ]);
  });

  it("may name an evaluation's column, which then keeps its place and is not repeated", () => {
    const record = round(1, { evaluations: [outcome("e", { loss: 2, f1: 0.5 })] });
    expect([...flat(record, ["e"], ["evaluation_f1", "round"]).cells]).toEqual([
      ["evaluation_f1", "0.5"],
      ["round", "1"],
      ["evaluation_primary_value", "2"],
      ["evaluation_status", "ok"],
      ["evaluation_loss", "2"],
    ]);
  });
});

describe("the columns of evaluators", () => {
  it("of one: primary value, status, metrics in their order, details", () => {
    const one = outcome("e", { "B-metric": 1, a: 2 }, { details: { "class 0/recall": 3 } });
    expect([...flat(round(1, { evaluations: [one] }), ["e"]).cells].slice(1)).toEqual([
      ["evaluation_primary_value", "1"],
      ["evaluation_status", "ok"],
      ["evaluation_b_metric", "1"],
      ["evaluation_a", "2"],
      ["evaluation_class_0_recall", "3"],
    ]);
  });

  it("keep the order of the outcome for names like integers", () => {
    const one = outcome("e", { "2": 1, "10": 2, z: 3 }, { details: { "1": 4, "0": 5 } });
    const record = round(1, { evaluations: [{ ...one, order: ["z", "10", "2", "1", "0"] }] });
    expect(names(JSON.parse(JSON.stringify(record)), ["e"]).slice(3)).toEqual([
      "evaluation_z",
      "evaluation_10",
      "evaluation_2",
      "evaluation_1",
      "evaluation_0",
    ]);
  });

  it("of several: the first one's metrics stay bare, status and primary value carry names", () => {
    const evaluations = [
      outcome("First One", { f1: 1 }),
      outcome("second", { f1: 2 }, { details: { d: 3 } }),
    ];
    const several = names(round(1, { evaluations }), ["First One", "second"]);
    expect(several.slice(1)).toEqual([
      "evaluation_first_one_primary_value",
      "evaluation_first_one_status",
      "evaluation_f1",
      "evaluation_second_primary_value",
      "evaluation_second_status",
      "evaluation_second_f1",
      "evaluation_second_d",
    ]);
  });

  it("carry names although only one of several was due", () => {
    const evaluations = [outcome("b", { f1: 2 })];
    expect(names(round(1, { evaluations }), ["a", "b"]).slice(1)).toEqual([
      "evaluation_b_primary_value",
      "evaluation_b_status",
      "evaluation_b_f1",
    ]);
    expect(names(round(1, { evaluations: [outcome("a", { f1: 2 })] }), ["a", "b"]).at(-1)).toBe(
      "evaluation_f1",
    );
  });

  it("of an evaluator that nobody announced are those of a later one", () => {
    const evaluations = [outcome("extra", { f1: 2 })];
    expect(names(round(1, { evaluations }), ["a"]).at(-1)).toBe("evaluation_extra_f1");
    expect(names(round(1, { evaluations }), []).at(-1)).toBe("evaluation_f1");
  });

  it("say how it failed and leave the numbers empty", () => {
    expect([...flat(round(1, { evaluations: [failure("e")] }), ["e"]).cells].slice(1)).toEqual([
      ["evaluation_primary_value", ""],
      ["evaluation_status", "failed"],
    ]);
  });

  it("have no NaN and no infinity", () => {
    const wild = outcome("e", { a: Number.NaN, b: Number.POSITIVE_INFINITY });
    expect([...flat(round(1, { evaluations: [wild] }), ["e"]).cells.values()]).toEqual([
      "1",
      "",
      "ok",
      "",
      "",
    ]);
  });
});

describe("names that cannot be columns", () => {
  it("are left out with a word on each: taken, reserved, or nothing left", () => {
    const hostile = outcome(
      "e",
      { "a b": 1, "a,b": 2, status: 3, "primary value": 4, clients_f1: 5, "😀": 6, __proto__x: 7 },
      { details: { A_B: 8, fine: 9 } },
    );
    const { cells, faults } = flat(round(1, { evaluations: [hostile] }), ["e"]);
    expect([...cells].slice(3)).toEqual([
      ["evaluation_a_b", "1"],
      ["evaluation_proto_x", "7"],
      ["evaluation_fine", "9"],
    ]);
    expect(faults).toHaveLength(6);
    expect(faults[0]).toBe(
      'The metric "a,b" of the evaluator "e" is left out: the column "evaluation_a_b" is taken or reserved.',
    );
  });

  it("never take the place of another evaluator's columns", () => {
    const evaluations = [
      outcome("a", { b_status: 1, b_f1: 2 }),
      outcome("b", { f1: 3 }),
      outcome("B!", { f1: 4 }),
    ];
    const { cells, faults } = flat(round(1, { evaluations }), ["a", "b", "B!"]);
    expect(cells.get("evaluation_b_status")).toBe("ok");
    expect(cells.get("evaluation_b_f1")).toBe("2");
    expect(faults).toHaveLength(3);
    expect(faults[2]).toContain('The evaluator "B!" has the columns of another one');
  });

  it("are shortened where they are shown, and an evaluator without letters still has columns", () => {
    const { faults } = flat(round(1, { evaluations: [outcome("e", { ["!".repeat(500)]: 1 })] }), ["e"]);
    expect(faults[0]!.length).toBeLessThan(250);
    const evaluations = [outcome("😀", { f1: 1 }), outcome("b", { f1: 1 })];
    expect(names(round(1, { evaluations }), ["😀", "b"])[2]).toBe("evaluation_unnamed_status");
  });
});

describe("what is said of columns", () => {
  it("names evaluator and metric, its direction and its unit", () => {
    const evaluations = [
      outcome(
        "e",
        { "Log Loss": 1, other: 2, __proto__x: 1 },
        { payload: { higher_is_better: { "Log Loss": false } } },
      ),
    ];
    const declared = () => ({
      "Log Loss": { higherIsBetter: true, unit: "nats" },
      other: { higherIsBetter: true },
    });
    const { columns } = flattenRow(
      round(1, { evaluations, scalar: { metric: "mse", value: 1, higherIsBetter: false } }),
      { types: ["accuracy", "mse", "elapsed_time"], evaluators: ["e"], declared },
    );
    const described = (
      evaluator: string | null,
      metric: string,
      higher: boolean | null,
      unit: string | null,
    ) => ({
      evaluator,
      metric,
      higher_is_better: higher,
      unit,
    });
    expect(Object.fromEntries(columns)).toEqual({
      accuracy: described(null, "mse", false, null),
      mse: described(null, "mse", false, null),
      elapsed_time: described(null, "elapsed_time", null, "s"),
      evaluation_primary_value: described("e", "Log Loss", false, "nats"),
      evaluation_status: described("e", "status", null, null),
      evaluation_log_loss: described("e", "Log Loss", false, "nats"),
      evaluation_other: described("e", "other", true, null),
      evaluation_proto_x: described("e", "__proto__x", null, null),
    });
  });

  it("of an evaluator's column that `results.types` names stays in rounds in which it is not due", () => {
    const types = ["evaluation_status", "evaluation_f1", "round"];
    const columns = (record: RoundRecord) => flattenRow(record, { types, evaluators: ["e"] }).columns;
    const due = columns(round(2, { evaluations: [outcome("e", { f1: 0.5 })] }));
    const idle = columns(round(3));
    for (const column of types.slice(0, 2)) {
      expect(due.get(column)).toMatchObject({ evaluator: "e" });
      expect(mergedDescription(due.get(column), idle.get(column)!)).toEqual(due.get(column));
      expect(mergedDescription(idle.get(column), due.get(column)!)).toEqual(due.get(column));
    }
  });

  it("is filled in by later rounds and not forgotten after a failure", () => {
    const known = { evaluator: "e", metric: "f1", higher_is_better: true, unit: "x" };
    const open = { ...known, higher_is_better: null, unit: null };
    const placeholder = { evaluator: "e", metric: "primary_value", higher_is_better: null, unit: null };
    expect(mergedDescription(undefined, known)).toEqual(known);
    expect(mergedDescription(placeholder, known)).toEqual(known);
    expect(mergedDescription(known, placeholder)).toEqual(known);
    expect(mergedDescription({ ...open, unit: "x" }, { ...known, unit: null })).toEqual(known);
    expect(mergedDescription(known, { ...known, metric: "other" })).toEqual(known);
  });
});

describe("the columns of evaluators on clients", () => {
  const over = (name: string, metric: string, exact: boolean) => ({
    name,
    metrics: [{ metric, value: 0.5, exact, std: 0.1, min: 0.25, max: 0.75, higherIsBetter: true }],
  });

  it("follow the evaluator's own: exact under the bare name, else a mean, with spread, least and most", () => {
    const record = round(1, {
      evaluations: [outcome("first", { acc: 1 }), outcome("second", { acc: 2 })],
      clientEvaluations: [over("first", "acc", true), over("second", "Acc!", false)],
    });
    const { cells, columns, faults } = flat(record, ["first", "second"], []);
    expect(faults).toEqual([]);
    expect([...cells.keys()].filter((column) => column.includes("clients"))).toEqual([
      "evaluation_clients_acc",
      "evaluation_clients_acc_std",
      "evaluation_clients_acc_min",
      "evaluation_clients_acc_max",
      "evaluation_second_clients_acc_mean",
      "evaluation_second_clients_acc_std",
      "evaluation_second_clients_acc_min",
      "evaluation_second_clients_acc_max",
    ]);
    expect([...cells.keys()].indexOf("evaluation_clients_acc")).toBe(
      [...cells.keys()].indexOf("evaluation_acc") + 1,
    );
    expect(cells.get("evaluation_clients_acc_std")).toBe("0.1");
    expect(columns.get("evaluation_clients_acc_min")).toMatchObject({
      evaluator: "first",
      metric: "acc",
      higher_is_better: true,
    });
    expect(columns.get("evaluation_clients_acc_std")).toMatchObject({ higher_is_better: null });
  });

  it("are there of an evaluator that did not run on the server, and where `results.types` names them", () => {
    const record = round(1, { clientEvaluations: [over("e", "acc", false)] });
    expect([...flat(record, ["e"], ["evaluation_clients_acc_min"]).cells]).toEqual([
      ["evaluation_clients_acc_min", "0.25"],
      ["evaluation_clients_acc_mean", "0.5"],
      ["evaluation_clients_acc_std", "0.1"],
      ["evaluation_clients_acc_max", "0.75"],
    ]);
  });

  it("never share one: a metric whose column is taken, or without a name, is left out", () => {
    const metrics = [
      ...over("e", "a", true).metrics,
      ...over("e", "a_std", true).metrics,
      ...over("e", "?", true).metrics,
    ];
    const record = round(1, {
      evaluations: [outcome("e", { x: 1 })],
      clientEvaluations: [{ name: "e", metrics }],
    });
    const { cells, faults } = flat(record, ["e"], []);
    expect(cells.get("evaluation_clients_a_std")).toBe("0.1");
    expect(cells.has("evaluation_clients_a_std_min")).toBe(false);
    expect(faults).toHaveLength(2);
  });
});
