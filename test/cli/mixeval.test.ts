import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { commandHere } from "../support/commandHere.js";
import { temporaryFolder } from "../support/temporaryFolder.js";

const folder = temporaryFolder("mixeval-command");
const mixeval = (...words: string[]) => commandHere("mixeval", ...words);
const file = (name: string, content: string) => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};

const FREE = {
  problem_type: "free-form",
  context: null,
  prompt: "capital of France?",
  target: ["Paris"],
  benchmark_name: "TriviaQA",
};
const CHOICE = {
  problem_type: "multiple-choice",
  prompt: "How many?",
  options: ["one", "two"],
  target: [1],
  benchmark_name: "MMLU",
};
const lines = (rows: object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join("");
const FREE_FILE = file(
  "m_close_freeform.jsonl",
  lines([
    { ...FREE, id: "0", response: "It is Paris" },
    { ...FREE, id: "1", response: "Rome" },
  ]),
);
const CHOICE_FILE = file("m_close_multichoice.jsonl", lines([{ ...CHOICE, id: "0", response: "**B**" }]));

describe("mixeval score", () => {
  it("prints the document: scores over the rows of all files, and each row", async () => {
    const { status, stdout } = await mixeval(
      ...["score", "--parser", "rule", "--json", "--responses", FREE_FILE, CHOICE_FILE],
    );
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      overall: 1 / 3,
      benchmarks: { MMLU: { score: 0, n: 1 }, TriviaQA: { score: 0.5, n: 2 } },
      random: 1,
      rows: [
        { file: FREE_FILE, id: "0", score: 1, parsed: { numbers: [], strings: ["paris"] }, random: false },
        { file: FREE_FILE, id: "1", score: 0, parsed: { numbers: [], strings: ["rome"] }, random: false },
        { file: CHOICE_FILE, id: "0", score: 0, parsed: null, random: true },
      ],
    });
  });

  it("reads the letter in bold by extraction, shows a table, and writes the document", async () => {
    const output = join(folder, "scores.json");
    const { status, stdout } = await mixeval(
      ...["score", "--parser", "extract", "--output", output, "--responses", folder],
    );
    expect(status).toBe(0);
    expect(stdout).toMatch(/^overall\s+0\.666667\s+3$/m);
    expect(JSON.parse(readFileSync(output, "utf8"))).toMatchObject({ overall: 2 / 3, random: 0 });
  });

  it("exits with 2 for an unknown parser and for what is no file of answers", async () => {
    const unknown = await mixeval("score", "--parser", "rul", "--responses", FREE_FILE);
    expect(unknown).toMatchObject({ status: 2, stderr: expect.stringMatching(/NAME_UNKNOWN.*rule/s) });
    const absent = await mixeval("score", "--parser", "rule", "--responses", join(folder, "no.jsonl"));
    expect(absent).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/INPUT_UNREADABLE.*no\.jsonl/s),
    });
  });
});

describe("mixeval prompts", () => {
  it("writes each question with its prompt, for base models behind five examples", async () => {
    const data = file("multiple-choice.json", JSON.stringify({ 7: CHOICE }));
    const prompt =
      "How many?\nA. one\nB. two\nAnswer with the option letter from the given choices directly.";
    const chat = await mixeval("prompts", "--data", data);
    expect(JSON.parse(chat.stdout)).toEqual({ ...CHOICE, formated_input: prompt, id: "7" });
    const base = await mixeval("prompts", "--data", data, "--base-model", "--json");
    const [row] = JSON.parse(base.stdout) as [{ formated_input: string }];
    expect(row.formated_input).toMatch(/^According to cell classification/);
    expect(row.formated_input.endsWith(`B\n\n${prompt}\n`)).toBe(false);
    expect(row.formated_input.endsWith(`\n\n${prompt}\n`)).toBe(true);
  });
});
