import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { silentLogger } from "../../src/base/index.js";
import type { Config } from "../../src/config/index.js";
import { TrainingContext } from "../../src/context/index.js";
import { evaluateRound, prepareEvaluators } from "../../src/evaluators/index.js";
import { type Script, ScriptedLanguageModel } from "../../src/language/index.js";
import { createByteTokenizer } from "../../src/tokenizers/index.js";
import { temporaryFolder } from "../support/temporaryFolder.js";

const folder = temporaryFolder("task-evaluator");
const ROWS = ["a", "b", "c", "d"].map((letter, place) => ({
  question: `question ${letter}?`,
  expected_answer: place === 3 ? "other" : letter.toUpperCase(),
}));
const file = join(folder, "rows.jsonl");
writeFileSync(file, ROWS.map((row) => JSON.stringify(row)).join("\n"));

const script: Script = {
  answer: ({ prompt }) => /question (\w)/.exec(String(prompt))?.[1]?.toUpperCase() ?? "no question",
};
const TABLE = {
  dataset: { type: "custom", identifier: "letters", url: file },
  processor: { name: "template", params: { template: "{{question}} ", form: "completion" } },
  scorers: ["equality"],
};

async function evaluate(
  table: Record<string, unknown>,
  {
    model = new ScriptedLanguageModel(script),
    samplesFolder,
  }: { model?: unknown; samplesFolder?: string } = {},
) {
  const config = { evaluation: { type: "task", ...TABLE, ...table } };
  const context = new TrainingContext({ currentRound: 2, device: "cpu" });
  const lines: string[] = [];
  const logger = { ...silentLogger, warn: (line: string) => void lines.push(line) };
  for await (const ran of evaluateRound({ config, context, model, logger, samplesFolder })) {
    return { ...ran, lines };
  }
  throw new Error("nothing was due");
}

describe("the evaluator task", () => {
  it("gives a column for each scorer, the rest as details, with what makes means exact", async () => {
    const { outcome, result } = await evaluate({
      scorers: ["equality", "basic::subset_of"],
      confidence: 0.95,
    });
    expect(outcome.status).toBe("ok");
    expect(outcome.result).toMatchObject({
      evaluator: "task",
      primary_metric: "equality_accuracy",
      primary_value: 0.75,
      metrics: { equality_accuracy: 0.75, basic_subset_of_accuracy: 0.75 },
      higher_is_better: { equality_accuracy: true, basic_subset_of_accuracy: true },
    });
    expect(outcome.details).toMatchObject({
      equality_num_correct: 3,
      equality_num_total: 4,
      equality_accuracy_stderr: 0.25,
    });
    expect(result!.sums.equality_accuracy).toEqual({ numerator: 3, denominator: 4, transform: "identity" });
    expect(outcome.details).toHaveProperty("equality_accuracy_ci_low");
  });

  it("says the name of a scorer once", async () => {
    const { outcome } = await evaluate({ scorers: ["levenshtein"] });
    expect(outcome.result!.metrics).toEqual({ levenshtein: 0.75 });
    expect(outcome.details).toHaveProperty("levenshtein_stderr");
  });

  it("is partial where rows are limited or bad, and takes the same rows every round", async () => {
    const limited = await evaluate({ limit: 2 });
    expect(limited.outcome.status).toBe("partial");
    const again = await evaluate({ limit: 2 });
    expect(again.outcome.result!.metrics).toEqual(limited.outcome.result!.metrics);
    const bad = await evaluate({
      dataset: { type: "rows", identifier: "bad", rows: [...ROWS, { question: null }] },
    });
    expect(bad.outcome.status).toBe("partial");
    expect(bad.outcome.result!.metrics).toEqual({ equality_accuracy: 0.75 });
    expect(bad.lines.join("\n")).toMatch(/1 of 5 rows were not answered; row 4: question is missing/);
  });

  it("logs what every row was asked, answered and scored", async () => {
    const samplesFolder = join(folder, "samples");
    await evaluate({ log_samples: true }, { samplesFolder });
    const [name] = readdirSync(samplesFolder);
    expect(name).toBe("2-task-letters.jsonl");
    const lines = readFileSync(join(samplesFolder, name!), "utf8").trim().split("\n");
    expect(JSON.parse(lines[3]!)).toMatchObject({
      doc: 3,
      requests: [{ generation_input: { prompt: "question d? " } }],
      answers: [{ generation_output: { completion_message: "D" }, generated_answer: "D" }],
      gold: "other",
      scores: { equality: 0 },
    });
  });

  it("has the model under evaluation judge its own answers", async () => {
    const judge = {
      name: "llm-as-judge::base",
      label: "judge",
      params: {
        judge_model: "self",
        prompt_template: "Rate: {generated_answer} for {expected_answer}",
        judge_score_regexes: ["(\\d)"],
        aggregation_functions: ["average"],
      },
    };
    const model = new ScriptedLanguageModel({
      answer: ({ prompt }) => {
        if (typeof prompt === "string") return script.answer!({ prompt }, 0);
        const { content } = prompt[0] as { content: string };
        return content.includes("other") ? "1" : "5";
      },
    });
    const { outcome } = await evaluate({ scorers: [judge] }, { model });
    expect(outcome.status).toBe("ok");
    expect(outcome.result!.metrics).toEqual({ judge_average: 4 });
  });

  it("runs a benchmark task on rows from a folder, with scorers beside its own metrics", async () => {
    const place = join(folder, "allenai__ai2_arc", "ARC-Easy");
    mkdirSync(place, { recursive: true });
    const rows = ["A", "B"].map((answerKey) => ({
      question: "which?",
      choices: { text: ["one", "two"], label: ["A", "B"] },
      answerKey,
    }));
    writeFileSync(join(place, "test.jsonl"), rows.map((row) => JSON.stringify(row)).join("\n"));
    const { outcome } = await evaluate(
      { dataset: undefined, processor: "harness:arc_easy", scorers: ["random"], data_dir: folder },
      {
        model: new ScriptedLanguageModel({
          score: ({ continuation }) => (continuation === " one" ? -1 : -2),
        }),
      },
    );
    expect(outcome.result!.metrics).toMatchObject({ arc_easy_acc_none: 0.5 });
    expect(Object.keys(outcome.result!.metrics)[1]).toMatch(/^random_/);
    expect(outcome.result!.primary_metric).toBe("arc_easy_acc_none");
  });
});

describe("before the first round", () => {
  const prepare = (table: Record<string, unknown>) =>
    prepareEvaluators({
      config: {
        trainer: { random_seed: 1 },
        evaluation: { type: "task", ...TABLE, ...table },
      } as unknown as Config,
      tokenizer: createByteTokenizer(),
      hub: undefined as never,
    });

  it("all is well where all is there", async () => {
    await expect(prepare({ primary_metric: "equality_accuracy" })).resolves.toBeUndefined();
  });

  it.each<[string, Record<string, unknown>, RegExp]>([
    ["a data set that nobody registered", { dataset: "nothing" }, /No such dataset: "nothing"/],
    [
      "a file that is not there",
      { dataset: { type: "custom", identifier: "x", url: "absent.csv" } },
      /absent\.csv/,
    ],
    ["a scorer that nobody registered", { scorers: ["equalty"] }, /Did you mean "equality"/],
    ["params of a scorer", { scorers: [{ name: "equality", params: { x: 1 } }] }, /unknown key "x"/],
    ["a processor that nobody registered", { processor: "templat" }, /No such processor or task/],
    [
      "a column that the first row does not have",
      { processor: { name: "template", params: { template: "{{q}}" } } },
      /q is missing/,
    ],
    ["turns without a chat template", { processor: "chat" }, /no chat template/],
    ["a primary metric of no scorer", { primary_metric: "accuracy" }, /Expected equality_\.\.\./],
    [
      "a judge that is none",
      {
        scorers: [
          {
            name: "llm-as-judge::base",
            params: { judge_model: "https://x/v1", prompt_template: "x", judge_score_regexes: ["(.)"] },
          },
        ],
      },
      /does not say which model/,
    ],
    ["no rows", { dataset: { type: "rows", identifier: "none", rows: [] } }, /has no rows/],
    ["a key that it does not have", { shots: 3 }, /shots/],
  ])("%s is found", async (_, table, message) => {
    await expect(prepare(table)).rejects.toThrowError(message);
  });
});
