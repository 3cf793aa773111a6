import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { elenchus } from "../support/commandLine.js";
import { columnOf } from "../support/records.js";
import { smallGptConfig } from "../support/smallGptConfig.js";
import { temporaryFolder } from "../support/temporaryFolder.js";

/* A GPT of a thousand weights is asked four questions after its only round, and then once more. */
const folder = temporaryFolder("kept-answers");
const run = join(folder, "runtime", "results", "q");
const CONFIG = smallGptConfig(
  `
[evaluation]
type = "lighteval"
tasks = ["arc_easy"]
data_dir = "rows"
log_samples = true
confidence = 0.95
`,
  { trainer: 'language_engine = "tensorflow"' },
);
const QUESTIONS = ["Who?", "What?", "Where?", "Why?"].map((question, place) => ({
  id: question,
  question,
  choices: { text: ["one", "two"], label: ["A", "B"] },
  answerKey: "AB"[place % 2],
}));
const evaluateAgain = () => elenchus(["evaluate", "q", "--rounds", "all", "--log", "warn"], folder);
const answers = () => {
  const [name] = readdirSync(join(run, "answers"));
  return join(run, "answers", name!);
};
const accuracy = () => columnOf(`${run}.csv`, "evaluation_arc_easy");

beforeAll(async () => {
  mkdirSync(join(folder, "runtime"));
  writeFileSync(join(folder, "runtime", "day.txt"), "the sun rises and the sun sets. ".repeat(60));
  writeFileSync(join(folder, "config.toml"), CONFIG);
  const rows = join(folder, "rows", "allenai__ai2_arc", "ARC-Easy");
  mkdirSync(rows, { recursive: true });
  writeFileSync(join(rows, "test.jsonl"), QUESTIONS.map((row) => JSON.stringify(row)).join("\n"));
  const first = await elenchus(["run", "config.toml", "--run-id", "q", "--log", "warn"], folder);
  expect(first.status, first.stderr).toBe(0);
}, 120_000);

describe("answers of a language model", () => {
  it("are kept with the run, beside its samples and intervals", () => {
    expect(readFileSync(answers(), "utf8").trimEnd().split("\n")).toHaveLength(8);
    expect(readdirSync(join(run, "samples"))).toEqual(["1-lighteval-arc_easy.jsonl"]);
    const [low, high] = ["low", "high"].map(
      (end) => columnOf(`${run}.csv`, `evaluation_arc_easy_ci_${end}`)[0],
    );
    expect((Number(low) + Number(high)) / 2).toBeCloseTo(Number(accuracy()[0]), 12);
  });

  it("are taken in place of asking the same weights again", async () => {
    const [before, text] = [accuracy(), readFileSync(answers(), "utf8")];
    const again = await evaluateAgain();
    expect([again.status, again.stderr]).toEqual([0, ""]);
    expect([accuracy(), readFileSync(answers(), "utf8")]).toEqual([before, text]);
    // Nobody but the file says that the first answer to each question is the likelier one, which two of four are.
    let likelier = 0;
    const all = text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    for (const line of all) line.answer.logLikelihood = -(1 + (likelier++ % 2));
    writeFileSync(answers(), all.map((line) => `${JSON.stringify(line)}\n`).join(""));
    expect((await evaluateAgain()).status).toBe(0);
    const samples = readFileSync(join(run, "samples", "1-lighteval-arc_easy.jsonl"), "utf8");
    for (const line of samples.trimEnd().split("\n")) {
      expect(JSON.parse(line).answers.map((one: { log_likelihood: number }) => one.log_likelihood)).toEqual([
        -1, -2,
      ]);
    }
    expect(accuracy()).toEqual(["0.5"]);
  });
});
