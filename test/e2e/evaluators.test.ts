import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { elenchus, type Finished } from "../support/commandLine.js";
import { columnOf, columnsOf, rowsOf } from "../support/records.js";
import { smallConfig } from "../support/smallConfig.js";
import { temporaryFolder } from "../support/temporaryFolder.js";

const folder = temporaryFolder("evaluators");
const fixture = fileURLToPath(new URL("./fixtures/countingEvaluators.mjs", import.meta.url));
const results = join(folder, "runtime", "results");
const csv = (runId: string) => join(results, `${runId}.csv`);
const json = (...path: string[]) => JSON.parse(readFileSync(join(results, ...path), "utf8"));

writeFileSync(
  join(folder, "several.toml"),
  smallConfig(
    `
[general]
evaluate_round_zero = true

[[evaluation]]
type = "counter"
target = 3

[[evaluation]]
type = "counter"
name = "Second One!"
primary_metric = "Twice it"
every = 2

[[evaluation]]
type = "classification"
name = "rare"
every = 5

[results]
types = "evaluation_second_one_turn, round, evaluation_turn, accuracy, elapsed_time"
`,
    { rounds: 9 },
  ),
);
writeFileSync(
  join(folder, "one.toml"),
  smallConfig(`
[evaluation]
type = "counter"
name = "only"

[results]
types = ["round", "accuracy", "evaluation_status"]
record_clients_accuracy = true
`),
);

let several: Finished;
let one: Finished;
beforeAll(async () => {
  const run = (name: string, ...words: string[]) =>
    elenchus(["run", `${name}.toml`, "--run-id", name, "--import", fixture, "--json", ...words], folder);
  [several, one] = await Promise.all([
    run("several"),
    run("one", "--set", "trainer.target_accuracy=0.01", "--set", "clients.do_test=true"),
  ]);
  expect([several.status, one.status], several.stderr + one.stderr).toEqual([0, 0]);
}, 120_000);

describe("several evaluators", () => {
  it("have columns of their own: results.types first, the first table's bare, the later ones' with a name", () => {
    const counter = ["turn", "twice_it", "rows", "client", "scalar", "rounds"];
    const second = counter.slice(1).map((name) => `evaluation_second_one_${name}`);
    expect(columnsOf(csv("several")).slice(0, 18)).toEqual([
      ...["evaluation_second_one_turn", "round", "evaluation_turn", "accuracy", "elapsed_time"],
      ...["evaluation_counter_primary_value", "evaluation_counter_status"],
      ...counter.slice(1).map((name) => `evaluation_${name}`),
      ...["evaluation_second_one_primary_value", "evaluation_second_one_status"],
      ...second.slice(0, 4),
    ]);
    expect(columnsOf(csv("several"))).toContain("evaluation_rare_accuracy");
    expect(new Set(columnsOf(csv("several"))).size).toBe(columnsOf(csv("several")).length);
  });

  it("start with the untrained model, run when they are due, and all in the round that ends the run", () => {
    expect(columnOf(csv("several"), "round")).toEqual(["0", "1", "2", "3"]);
    expect(columnOf(csv("several"), "evaluation_turn")).toEqual(["0", "1", "2", "3"]);
    expect(columnOf(csv("several"), "evaluation_second_one_status")).toEqual(["ok", "", "ok", "ok"]);
    expect(columnOf(csv("several"), "evaluation_second_one_primary_value")).toEqual(["0", "", "4", "6"]);
    expect(columnOf(csv("several"), "evaluation_rare_status")).toEqual(["ok", "", "", "ok"]);
    const last = rowsOf(csv("several"))[3]!;
    expect(last.evaluation_rare_accuracy).toBe(last.accuracy);
  });

  it("end the run when a primary metric reaches its target", () => {
    expect(JSON.parse(several.stdout)).toMatchObject({
      run_id: "several",
      status: "completed",
      rounds: 3,
      csv: csv("several"),
      last_row: {
        round: 3,
        evaluation_turn: 3,
        evaluation_client: 0,
        evaluation_rows: 360,
        evaluation_rounds: 9,
      },
    });
    expect(json("several", "run.json")).toMatchObject({ status: "completed", parent: null });
  });

  it("leave a file for each evaluation and artifact, and say in run.json what each column is", () => {
    const rounds = (name: string) => [0, 1, 2, 3].map((round) => `${round}-${name}`);
    expect(readdirSync(join(results, "several", "evaluations")).sort()).toEqual(
      [
        ...rounds("counter.json"),
        "0-rare.json",
        "3-rare.json",
        "0-Second One!.json",
        "2-Second One!.json",
        "3-Second One!.json",
      ].sort(),
    );
    expect(json("several", "evaluations", "2-Second One!.json")).toEqual({
      schema: 1,
      round: 2,
      name: "Second One!",
      type: "counter",
      status: "ok",
      duration_seconds: expect.any(Number),
      error: null,
      result: {
        evaluator: "counter",
        primary_metric: "Twice it",
        metrics: { turn: 2, "Twice it": 4 },
        higher_is_better: { turn: true },
        metadata: { of: ["round", 2] },
        artifacts: { "note.txt": "round 2\n" },
        primary_value: 4,
      },
    });
    const artifacts = readdirSync(join(results, "several", "artifacts"));
    expect(artifacts).toContain("1-counter-note.txt");
    expect(readFileSync(join(results, "several", "artifacts", "1-counter-note.txt"), "utf8")).toBe(
      "round 1\n",
    );
    expect(json("several", "run.json").columns).toMatchObject({
      accuracy: { evaluator: null, metric: "accuracy", higher_is_better: true, unit: null },
      evaluation_turn: { evaluator: "counter", metric: "turn", higher_is_better: true, unit: "rounds" },
      evaluation_second_one_twice_it: {
        evaluator: "Second One!",
        metric: "Twice it",
        higher_is_better: false,
      },
    });
  });
});

describe("one evaluator", () => {
  it("has bare columns, in the order of its metrics, then its details", () => {
    expect(columnsOf(csv("one"))).toEqual([
      ...["round", "accuracy", "evaluation_status", "evaluation_primary_value"],
      ...["evaluation_turn", "evaluation_twice_it"],
      ...["evaluation_rows", "evaluation_client", "evaluation_scalar", "evaluation_rounds"],
    ]);
    const [row] = rowsOf(csv("one"));
    expect(row!.evaluation_scalar).toBe(row!.accuracy);
  });

  it("does not keep trainer.target_accuracy from ending the run", () => {
    expect(columnOf(csv("one"), "round")).toEqual(["1"]);
    expect(JSON.parse(one.stdout)).toMatchObject({ status: "completed", rounds: 1 });
  });

  it("leaves the clients' own tests to their file", () => {
    const path = join(results, "one_accuracy.csv");
    expect(columnsOf(path)).toEqual(["round", "client_id", "accuracy"]);
    const rows = rowsOf(path);
    expect(rows).toHaveLength(2);
    for (const { round, accuracy } of rows) {
      expect(round).toBe("1");
      expect(Number(accuracy)).toBeGreaterThan(0);
    }
  });
});
