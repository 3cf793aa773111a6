import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { silentLogger } from "../../src/base/index.js";
import type { LoggedSample } from "../../src/evaluators/index.js";
import { SampleFiles } from "../../src/evaluators/samples/sampleFiles.js";
import { RunRecord } from "../../src/results/index.js";
import { outcome } from "../results/fixtures.js";
import { commandHere } from "../support/commandHere.js";
import { elenchus } from "../support/commandLine.js";
import { temporaryFolder } from "../support/temporaryFolder.js";

const folder = temporaryFolder("results");
const resultPath = join(folder, "runtime", "results");

/** Of four choice questions, two on each of two passages, those that are answered rightly. */
const choice = (doc: number, right: boolean): LoggedSample => ({
  doc,
  question: doc < 2 ? "first" : "second",
  requests: [
    {
      kind: "loglikelihood",
      prompts: [`${"A long passage. ".repeat(9)}\nQ${doc}:\u001b[2J`],
      continuations: [" yes", " no"],
    },
  ],
  answers: [{ log_likelihood: right ? -1 : -3 }, { log_likelihood: -2 }],
  gold: 0,
  scores: { acc: right ? 1 : 0, length: doc - 2 },
});
/** A run whose rounds have these questions right; `speed` logs no samples. */
async function recorded(
  runId: string,
  rounds: readonly (readonly number[])[],
  docs = [0, 1, 2, 3],
  gold: unknown = 0,
) {
  const evaluators = ["quiz", "speed"];
  const record = await RunRecord.create({ resultPath, runId, evaluators, logger: silentLogger });
  for (const [place, right] of rounds.entries()) {
    const round = place + 1;
    const log = new SampleFiles({
      folder: record.paths.samples,
      round,
      evaluator: "quiz",
      logger: silentLogger,
    });
    for (const doc of docs)
      await log.add("lighteval:yes_no|0", { ...choice(doc, right.includes(doc)), gold });
    await log.keep();
    const evaluations = [
      outcome("quiz", { acc: right.length / 4 }),
      outcome("speed", { tokens: 10 * round }),
    ];
    await record.append({ round, items: { round, accuracy: 0.5 * round }, evaluations, clients: [] });
  }
  await record.finish("completed");
}

/** In this process: what a process adds, the first test sees. */
function results(...words: string[]) {
  return commandHere("results", ...words, "--base", join(folder, "runtime"));
}
const json = async (...words: string[]) => {
  const { status, stdout, stderr } = await results(...words, "--json");
  expect([status, stderr]).toEqual([0, ""]);
  return JSON.parse(stdout);
};

beforeAll(async () => {
  await recorded("one", [[0], [0, 1, 2, 3]]);
  await recorded("two", [[0, 1]], [0, 1, 2, 5]);
  await recorded("other", [[0, 1]], [0, 1, 2, 3], 1);
  mkdirSync(join(resultPath, "bare"), { recursive: true });
  writeFileSync(join(resultPath, "bare.csv"), "round,accuracy\n1,0.5\n2,0.75\n");
});

describe("results --samples", () => {
  it("shows prompt end, answer, gold and score of every round", async () => {
    const { stdout } = await elenchus(["results", "one", "--samples", "yes_no"], folder);
    const lines = stdout.trimEnd().split("\n");
    expect(lines[0]).toBe("one");
    expect(lines[1]).toMatch(/^round +doc +prompt +answer +gold +acc$/);
    expect(lines).toHaveLength(3 + 8);
    expect(lines[3]).toMatch(/^ +1 +0 +\.\.\..*A long passage\. \\nQ0:\\u001b\[2J +yes +yes +1$/);
    expect(lines[4]).toMatch(/^ +1 +1 .*Q1:\S+ +no +yes +0$/);
  });

  it("--failures keeps what is not wholly right, --rounds the rounds, --limit the table short", async () => {
    const failed = await results("one", "--samples", "lighteval:yes_no|0", "--failures", "--limit", "2");
    expect(failed.stdout.trimEnd().split("\n").slice(3)).toEqual([
      expect.stringMatching(/^ +1 +1 .* 0$/),
      expect.stringMatching(/^ +1 +2 .* 0$/),
      "1 more; --limit -1 shows all, --json everything in them.",
    ]);
    const [{ run_id, rows }] = await json("one", "--samples", "yes_no", "--failures", "--rounds", "1");
    expect(run_id).toBe("one");
    expect(rows.map(({ doc }: { doc: number }) => doc)).toEqual([1, 2, 3]);
    expect(rows[0]).toEqual({ round: 1, evaluator: "quiz", task: "lighteval:yes_no|0", ...choice(1, false) });
    expect((await json("one", "--samples", "yes_no", "--failures", "--rounds", "2"))[0].rows).toEqual([]);
  });

  it.each<[words: string[], code: string, message: RegExp]>([
    [["one", "--samples", "yes_now"], "NAME_UNKNOWN", /lighteval:yes_no\|0/],
    [["one", "--samples", "yes_no", "--metric", "f1"], "NAME_UNKNOWN", /acc, length/],
    [
      ["one", "--samples", "yes_no", "--metric", "length", "--failures"],
      "USAGE",
      /cannot go by "length".*-2/,
    ],
    [["one", "--samples", "yes_no", "--rounds", "3"], "USAGE", /in round 3; it has of 1, 2/],
    [["bare", "--samples", "yes_no"], "INPUT_UNREADABLE", /log_samples = true/],
    [["one", "--failures"], "USAGE", /needs --samples/],
    [["one", "--rounds", "1"], "USAGE", /needs --samples TASK, --compare or --plot FILE/],
    [["one", "--samples", "yes_no", "--compare"], "USAGE", /two views/],
    [["one", "--compare", "--confidence", "95"], "USAGE", /between 0 and 1/],
    [["two", "--compare"], "USAGE", /needs two rounds/],
    [["one", "two", "--compare", "--rounds", "1,2,3"], "USAGE", /3 rounds for 2 runs/],
    [["one", "two", "--compare", "--rounds", "2"], "USAGE", /"two" has no row of round 2/],
  ])("refuses %j", async (words, code, message) => {
    const { status, stdout, stderr } = await results(...words);
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(`error [${code}]`);
    expect(stderr).toMatch(message);
  });
});

describe("results --compare", () => {
  it("sets a run's last round against its first on the samples of both", async () => {
    const [{ run_id, rows, compared }] = await json("one", "--compare");
    expect([run_id, rows.length, compared.length]).toEqual(["one", 2, 1]);
    expect(compared[0]).toMatchObject({
      a: { run_id: "one", round: 1 },
      b: { run_id: "one", round: 2 },
      confidence: 0.95,
      // Only B has 1, 2 and 3 right: 1 of the first passage, 2 of the second; 2 of 4 signs of +-1 +-2 reach 3.
      samples: [
        {
          ...{ evaluator: "quiz", task: "lighteval:yes_no|0", metric: "acc", samples: 4, questions: 2 },
          ...{ a: 0.25, b: 1, difference: 0.75, test: "mcnemar exact", p_value: 0.5, verdict: "higher" },
          // Deviations 1 - 1.5 and 2 - 1.5: sqrt(0.5) / 4.
          standard_error: Math.sqrt(0.5) / 4,
          ...{ ci_low: 0.5, ci_high: 1 },
        },
        {
          metric: "length",
          difference: 0,
          ci_low: 0,
          ci_high: 0,
          test: null,
          p_value: null,
          verdict: "unclear",
        },
      ],
      cells: [
        { evaluator: null, column: "accuracy", a: 0.5, b: 1, difference: 0.5 },
        { evaluator: "speed", column: "evaluation_speed_primary_value", a: 10, b: 20, difference: 10 },
        { evaluator: "speed", column: "evaluation_speed_tokens", a: 10, b: 20, difference: 10 },
      ],
      notes: [],
    });
  });

  it("sets another run against the first, on what they share", async () => {
    const [first, second] = await json("one", "two", "--compare", "--metric", "acc");
    expect(first).not.toHaveProperty("compared");
    expect(second.compared[0]).toMatchObject({
      a: { run_id: "one", round: 2 },
      b: { run_id: "two", round: 1 },
      samples: [{ metric: "acc", samples: 3, a: 1, b: 2 / 3 }],
      cells: [],
      notes: ["lighteval:yes_no|0: 2 samples are in one of the two only and are left out."],
    });
  });

  it("leaves out samples whose right answers differ, and then has no test", async () => {
    const [, { compared }] = await json("one", "other", "--compare");
    expect(compared[0]).toMatchObject({
      samples: [],
      notes: ["lighteval:yes_no|0: 4 samples have other right answers in B than in A and are left out."],
    });
    expect(compared[0].cells.map(({ column }: { column: string }) => column)).toContain("evaluation_acc");
  });

  it("says so where no samples tell whether it is chance", async () => {
    const { status, stdout } = await results("bare", "--compare");
    expect(status).toBe(0);
    expect(stdout).toContain("A: bare, round 1\nB: bare, round 2");
    expect(stdout).toContain("Not tested, since no samples of both were logged");
    expect(stdout).toMatch(/^accuracy +0\.5 +0\.75 +0\.25$/m);
  });

  it("shows a table with interval, p and verdict", async () => {
    const { stdout } = await results(
      "one",
      "--compare",
      "--rounds",
      "2,1",
      "--metric",
      "acc",
      "--confidence",
      "0.9",
    );
    expect(stdout).toMatch(/^task +metric +samples +questions +A +B +B - A +90 % interval +p +B is$/m);
    expect(stdout).toMatch(/^lighteval:yes_no\|0 +acc +4 +2 +1 +0\.25 +-0\.75 +-1 to -0\.5 +0\.5 +lower$/m);
  });
});

describe("results --plot", () => {
  const here = (...words: string[]) => commandHere("results", ...words, "--base", join(folder, "runtime"));

  it("draws runs, one metric, a comparison, and says where", async () => {
    const file = join(folder, "plots", "runs.svg");
    const { status, stdout, stderr } = await here("one", "--plot", file);
    expect([status, stdout, stderr]).toEqual([0, "", `plot: ${file}\n`]);
    expect(readFileSync(file, "utf8")).toContain(">accuracy</text>");
    const speed = join(folder, "speed.svg");
    const both = await here("one", "--plot", speed, "--metric", "evaluation_speed_tokens", "--json");
    expect(Object.keys(JSON.parse(both.stdout)[0].rows[0])).toEqual(["round", "evaluation_speed_tokens"]);
    expect(readFileSync(speed, "utf8")).toContain(">tokens</text>");
    const compared = join(folder, "compared.svg");
    const words = ["one", "--compare", "--plot", compared];
    expect((await here(...words)).stdout).toContain("B is");
    const drawn = readFileSync(compared, "utf8");
    expect(drawn).toContain("lighteval:yes_no|0 acc");
    // What repeats another line is none of its own.
    expect(drawn).toContain(">speed_tokens");
    expect(drawn).not.toContain("speed_primary_value");
  });

  it("draws the confusion matrix of the last round, or of those that are named", async () => {
    const evaluations = join(resultPath, "one", "evaluations");
    const matrix = (round: number, counts: unknown) =>
      writeFileSync(
        join(evaluations, `${round}-classes.json`),
        JSON.stringify({ round, name: "classes", result: { artifacts: { confusion_matrix: { counts } } } }),
      );
    mkdirSync(evaluations, { recursive: true });
    const file = join(folder, "matrix.svg");
    const draw = (...words: string[]) =>
      here("one", "--metric", "confusion_matrix", "--plot", file, ...words);
    const none = await draw();
    expect([none.status, none.stderr]).toEqual([2, expect.stringContaining('type = "classification"')]);
    matrix(1, [[5, 1], [0, 4]]); // biome-ignore format: rows
    matrix(2, [[6, 0], [0, 4]]); // biome-ignore format: rows
    expect((await draw()).status).toBe(0);
    expect(readFileSync(file, "utf8")).toContain("10 of 10 rows right");
    expect((await draw("--rounds", "1,2")).status).toBe(0);
    expect(readFileSync(file, "utf8")).toContain("9 of 10 rows right");
    expect((await draw("--rounds", "7")).stderr).toContain("There is one of the rounds 1, 2.");
    matrix(2, [[6, 0], [0]]); // biome-ignore format: rows
    expect((await draw()).stderr).toMatch(/^error \[RECORD_CORRUPT\]: .*2-classes\.json/);
  });

  it.each([
    [["--plot", "runs.pdf"], "ends in .svg or .png"],
    [["--plot", "runs.svg", "--samples", "yes_no"], "leave out --plot"],
    [["--plot", "runs.svg", "--metric", "speeed"], "No such metric with numbers"],
  ])("refuses %j", async (words, message) => {
    const { status, stderr } = await here("one", ...words);
    expect(status).toBe(2);
    expect(stderr).toContain(message);
  });
});
