import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { elenchus } from "../support/commandLine.js";
import { columnOf, columnsOf, rowsOf } from "../support/records.js";
import { smallConfig } from "../support/smallConfig.js";
import { temporaryFolder } from "../support/temporaryFolder.js";

const folder = temporaryFolder("backfill");
const quiz = fileURLToPath(new URL("../e2e/fixtures/quiz.mjs", import.meta.url));
const table = (rows: string) => smallConfig(`[evaluation]\ntype = "quiz"\n${rows}`, { rounds: 3 });
writeFileSync(join(folder, "quiz.toml"), table("log_samples = true\nbroken = 2"));
writeFileSync(join(folder, "bare.toml"), smallConfig("", { rounds: 2 }));
writeFileSync(
  join(folder, "later.toml"),
  smallConfig('[evaluation]\ntype = "constant"\nvalue = 7', { rounds: 3 }),
);
writeFileSync(
  join(folder, "other.toml"),
  smallConfig('[evaluation]\ntype = "constant"', { rounds: 3 }).replace(
    "hidden_sizes = [16]",
    "hidden_sizes = [8]",
  ),
);

/** A copy of the results of one run that each test may change. */
function copy(base: string): string {
  const to = join(folder, `${base}-${Math.random().toString(36).slice(2)}`);
  cpSync(join(folder, base), to, { recursive: true });
  return to;
}
const evaluate = (base: string, ...words: string[]) =>
  elenchus(["evaluate", "q", "--base", base, "--import", quiz, "--log", "warn", ...words], folder);
const csvOf = (base: string) => join(base, "results", "q.csv");
const manifestOf = (base: string) => JSON.parse(readFileSync(join(base, "results", "q", "run.json"), "utf8"));

beforeAll(async () => {
  const runs = await Promise.all([
    elenchus(
      ["run", "quiz.toml", "--base", "a", "--run-id", "q", "--import", quiz, "--log", "silent"],
      folder,
    ),
    elenchus(["run", "bare.toml", "--base", "b", "--run-id", "q", "--log", "silent"], folder),
  ]);
  expect(
    runs.map(({ status }) => status),
    runs.map(({ stderr }) => stderr).join(""),
  ).toEqual([0, 0]);
}, 120_000);

describe("evaluate RUN --rounds", () => {
  it("has a run with a failed round to start from", () => {
    const csv = csvOf(join(folder, "a"));
    expect(columnOf(csv, "evaluation_status")).toEqual(["ok", "failed", "ok"]);
    expect(columnOf(csv, "evaluation_acc")).toEqual(["0.3", "", "0.8"]);
    expect(readdirSync(join(folder, "a", "results", "q", "samples")).sort()).toEqual([
      "1-quiz-sums.jsonl",
      "3-quiz-sums.jsonl",
    ]);
  });

  it("failed: repairs what failed and leaves every other cell as it is", async () => {
    const base = copy("a");
    const before = rowsOf(csvOf(base));
    const done = await evaluate(base, "--rounds", "failed", "--set", "evaluation.broken=0", "--json");
    expect([done.status, done.stderr]).toEqual([0, ""]);

    const [first, second, third] = rowsOf(csvOf(base));
    expect([first, third]).toEqual([before[0], before[2]].map((row) => ({ ...row, evaluation_round_2: "" })));
    expect(second).toMatchObject({
      ...before[1],
      evaluation_status: "ok",
      evaluation_primary_value: "0.5",
      evaluation_acc: "0.5",
      evaluation_round_2: "2",
      // The scalar of the round's own test, which stands in its checkpoint.
      evaluation_scalar: before[1]!.accuracy,
    });
    const document = JSON.parse(done.stdout);
    expect(Object.keys(document)).toEqual(["run_id", "rows"]);
    expect(document.run_id).toBe("q");
    expect(document.rows).toHaveLength(3);
    expect(document.rows[1]).toMatchObject({ round: 2, evaluation_acc: 0.5, evaluation_round_1: null });

    const written = readFileSync(join(base, "results", "q", "evaluations", "2-quiz.json"), "utf8");
    expect(JSON.parse(written)).toMatchObject({ round: 2, name: "quiz", status: "ok", error: null });
    expect(existsSync(join(base, "results", "q", "samples", "2-quiz-sums.jsonl"))).toBe(true);
    expect(manifestOf(base)).toMatchObject({
      status: "completed",
      columns: { evaluation_acc: { evaluator: "quiz", metric: "acc", higher_is_better: true } },
      backfills: [{ rounds: [2], evaluation: { type: "quiz", broken: 0 } }],
    });
    expect(Object.keys(manifestOf(base).columns)).toContain("evaluation_round_2");
    // Nothing is left to repair.
    const again = await evaluate(base, "--rounds", "failed", "--set", "evaluation.broken=0");
    expect([again.status, rowsOf(csvOf(base))]).toEqual([0, [first, second, third]]);
  });

  it("all: adds an evaluator that came later, under its own name, beside the run's", async () => {
    const base = copy("a");
    const before = readFileSync(csvOf(base), "utf8").trimEnd().split("\n");
    const done = await evaluate(base, "--rounds", "all", "--config", join(folder, "later.toml"));
    expect([done.status, done.stderr]).toEqual([0, ""]);
    expect(done.stdout).toMatch(/^ *3 +constant +ok +value +7$/m);
    const after = readFileSync(csvOf(base), "utf8").trimEnd().split("\n");
    expect(after).toEqual(
      before.map((line, place) =>
        place === 0
          ? `${line},evaluation_constant_primary_value,evaluation_constant_status,evaluation_constant_value`
          : `${line},7,ok,7`,
      ),
    );
    // Once more, with another number: the same columns.
    await evaluate(
      base,
      "--rounds",
      "1,3",
      "--config",
      join(folder, "later.toml"),
      "--set",
      "evaluation.value=8",
    );
    expect(columnsOf(csvOf(base)).join()).toBe(after[0]);
    expect(columnOf(csvOf(base), "evaluation_constant_value")).toEqual(["8", "7", "8"]);
    expect(manifestOf(base).backfills.map(({ rounds }: { rounds: number[] }) => rounds)).toEqual([
      [1, 2, 3],
      [1, 3],
    ]);
  });

  it("gives a run without evaluators the columns of one that had them", async () => {
    const base = copy("b");
    const done = await evaluate(base, "--rounds", "all", "--set", "evaluation.type=constant");
    expect([done.status, done.stderr]).toEqual([0, ""]);
    expect(columnsOf(csvOf(base))).toEqual([
      ...["round", "accuracy", "elapsed_time"],
      ...["evaluation_primary_value", "evaluation_status", "evaluation_value"],
    ]);
    expect(columnOf(csvOf(base), "evaluation_value")).toEqual(["1", "1"]);
  });

  it("does not give up what was measured for a failure, and reports a strict one", async () => {
    const base = copy("a");
    const before = rowsOf(csvOf(base));
    const sets = ["--set", "evaluation.broken=3", "--set", "evaluation.fail_on_error=true"];
    const done = await evaluate(base, "--rounds", "3", ...sets, "--json");
    expect(done.status).toBe(1);
    expect(done.stderr).toContain("the row keeps what it measured before");
    expect(done.stderr).toContain("error [EVALUATION_FAILED]");
    expect(JSON.parse(done.stdout).rows[2].evaluation_acc).toBe(0.8);
    expect(rowsOf(csvOf(base))).toEqual(before);
  });

  it("names rounds whose checkpoint is gone, and fails where that is all of them", async () => {
    const base = copy("a");
    rmSync(join(base, "checkpoints", "q", "checkpoint_1.safetensors"));
    const some = await evaluate(base, "--rounds", "all", "--config", join(folder, "later.toml"));
    expect(some.status).toBe(0);
    expect(some.stderr).toMatch(/^warn: Round 1 has no checkpoint in /);
    expect(columnOf(csvOf(base), "evaluation_constant_value")).toEqual(["", "7", "7"]);
    const none = await evaluate(base, "--rounds", "1");
    expect([none.status, none.stdout]).toEqual([2, ""]);
    expect(none.stderr).toMatch(/^error \[CHECKPOINT_INVALID\]: Round 1 has no checkpoint/);
  });

  it.each<[words: string[], code: string, message: RegExp]>([
    [["--rounds", "7"], "USAGE", /names 7, but the run has rows of rounds 1 to 3 only/],
    [["--rounds", "some"], "USAGE", /expected all, failed, or rounds like 3,5/],
    [["--rounds", "all", "--checkpoint", "a"], "USAGE", /either --checkpoint .* or --rounds/],
    [["--rounds", "all", "--config", join(folder, "other.toml")], "RESUME_REFUSED", /hidden_sizes/],
    [["--rounds", "all", "--set", "evaluation.type=nothing"], "CONFIG_INVALID", /no evaluator|nothing/],
  ])("refuses %j", async (words, code, message) => {
    const { status, stdout, stderr } = await evaluate("a", ...words);
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(`error [${code}]`);
    expect(stderr).toMatch(message);
  });

  it("refuses a run that goes on", async () => {
    const base = copy("b");
    const path = join(base, "results", "q", "run.json");
    writeFileSync(path, JSON.stringify({ ...manifestOf(base), status: "running" }));
    const { status, stderr } = await evaluate(base, "--rounds", "all", "--set", "evaluation.type=constant");
    expect(status).toBe(2);
    expect(stderr).toMatch(/^error \[RUN_BUSY\]: /);
  });
});
