import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { silentLogger, systemClock } from "../../src/base/index.js";
import type { Config } from "../../src/config/index.js";
import { TrainingContext } from "../../src/context/index.js";
import { evaluateRound, prepareEvaluators } from "../../src/evaluators/index.js";
// What the evaluator loads when it first evaluates, so that no test waits for it.
import "../../src/evaluators/mixeval/evaluateMixEval.js";
import { type GenerationRequest, ScriptedLanguageModel } from "../../src/language/index.js";
import { createByteTokenizer } from "../../src/tokenizers/index.js";
import { temporaryFolder } from "../support/temporaryFolder.js";

const folder = temporaryFolder("mixeval-evaluator");
const free = (prompt: string, target: string, benchmark_name = "TriviaQA") => ({
  problem_type: "free-form",
  context: null,
  prompt,
  target: [target],
  benchmark_name,
});
const choice = (prompt: string, target: number) => ({
  problem_type: "multiple-choice",
  context: null,
  prompt,
  options: ["one", "two"],
  target: [target],
  benchmark_name: "MMLU-Pro",
});
const RELEASE = join(folder, "mixeval-2024-08-11");
const put = (name: string, rows: object) => {
  mkdirSync(join(RELEASE, name, ".."), { recursive: true });
  writeFileSync(join(RELEASE, name), JSON.stringify(rows));
};
// The first question stands there three times: it weighs as much, and is asked once.
const PARIS = free("capital of France?", "Paris");
put("mixeval/free-form.json", { 0: PARIS, 1: PARIS, 2: PARIS, 4: free("largest planet?", "Jupiter") });
put("mixeval/multiple-choice.json", { 0: choice("How many?", 1), 1: choice("How few?", 0) });
put("mixeval-hard/free-form.json", { 4: free("largest planet?", "Jupiter") });
put("mixeval-hard/multiple-choice.json", { 0: choice("How many?", 1) });

const textOf = ({ prompt }: GenerationRequest) =>
  typeof prompt === "string" ? prompt.slice(-200) : JSON.stringify(prompt);
const model = () =>
  new ScriptedLanguageModel({
    answer: (request) => {
      const text = textOf(request);
      if (text.includes("Your Judgment")) return text.includes("Saturn") ? "[[0.4]]" : "hm";
      if (text.includes("France")) return "Paris\n\n\nQuestion: what else?";
      return text.includes("planet") ? "Saturn" : "B\n\nA";
    },
  });

async function evaluate(table: Record<string, unknown>, { asks = model(), samplesFolder = "" } = {}) {
  const config = { evaluation: { type: "mixeval", data_dir: folder, ...table } };
  const context = new TrainingContext({ currentRound: 2, device: "cpu" });
  const places = samplesFolder === "" ? {} : { samplesFolder };
  for await (const ran of evaluateRound({
    config,
    context,
    model: asks,
    logger: silentLogger,
    ...places,
  })) {
    return ran.outcome;
  }
  throw new Error("nothing was due");
}

describe("the evaluator mixeval", () => {
  it("asks each different question once, weighs repeats, and gives both benchmarks and their parts", async () => {
    const asks = model();
    const outcome = await evaluate({}, { asks });
    expect(outcome.status, outcome.reason ?? "").toBe("ok");
    expect(asks.asked).toHaveLength(4);
    expect(outcome.result).toMatchObject({
      primary_metric: "mixeval",
      metrics: {
        mixeval: 4 / 6,
        mixeval_hard: 1 / 2,
        mixeval_mmlu_pro: 1 / 2,
        mixeval_triviaqa: 3 / 4,
        mixeval_hard_mmlu_pro: 1,
        mixeval_hard_triviaqa: 0,
      },
      metadata: { version: "2024-08-11", parser: "extract", base_model: true, prompts: 4 },
    });
    expect(Object.keys(outcome.result!.metrics).slice(0, 2)).toEqual(["mixeval", "mixeval_hard"]);
    expect(outcome.sums.mixeval).toEqual({ numerator: 4, denominator: 6, transform: "identity" });
    // Clusters: 3 of 3, 0 of 1, 1 of 1, 0 of 1; residuals 1, -2/3, 1/3, -2/3 about a mean of 2/3.
    const squares = 1 + 4 / 9 + 1 / 9 + 4 / 9;
    expect(outcome.details.mixeval_stderr).toBeCloseTo((Math.sqrt(squares) / 6) * Math.sqrt(4 / 3), 12);
  });

  it("is partial where rows are limited, with the same rows every round", async () => {
    const outcome = await evaluate({ limit: 2, benchmarks: ["mixeval"], parser: "rule" });
    expect(outcome).toMatchObject({ status: "partial", sampled: { used: 2, total: 6 } });
    const again = await evaluate({ limit: 2, benchmarks: ["mixeval"], parser: "rule" });
    expect(again.result!.metrics).toEqual(outcome.result!.metrics);
  });

  it("counts what the judge gives no verdict on, and is partial without it", async () => {
    const outcome = await evaluate({ parser: "judge", judge_model: "self", benchmarks: ["mixeval"] });
    expect(outcome).toMatchObject({
      status: "partial",
      reason: expect.stringMatching(/5 rows without a verdict/),
      result: { metrics: { mixeval: 0.4, mixeval_triviaqa: 0.4 } },
      details: { mixeval_unjudged: 5 },
    });
    const nothing = await evaluate({
      parser: "judge",
      judge_model: "self",
      benchmarks: ["mixeval_hard"],
      limit: 0,
    });
    expect(nothing.status).toBe("failed");
  });

  it("logs what every row was asked, answered and scored", async () => {
    const samplesFolder = join(folder, "samples");
    await evaluate({ log_samples: true }, { samplesFolder });
    const lines = readFileSync(join(samplesFolder, "2-mixeval-mixeval.jsonl"), "utf8").trim().split("\n");
    expect(lines).toHaveLength(6);
    expect(JSON.parse(lines[0]!)).toMatchObject({
      doc: "freeform/0",
      answers: [{ text: "Paris\n\n\nQuestion: what else?", read: "Paris" }],
      gold: ["Paris"],
      scores: { score: 1 },
    });
  });
});

describe("before the first round", () => {
  const hub = {
    settings: { endpoint: "http://127.0.0.1:9", offline: true, cacheFolder: join(folder, "cache") },
    logger: silentLogger,
    clock: systemClock,
  };
  const prepare = (table: Record<string, unknown>) =>
    prepareEvaluators({
      config: {
        trainer: { random_seed: 1 },
        evaluation: { type: "mixeval", data_dir: folder, ...table },
      } as unknown as Config,
      tokenizer: createByteTokenizer(),
      hub,
    });

  it("all is well where all is there", async () => {
    await expect(prepare({ primary_metric: "mixeval_hard_mmlu_pro" })).resolves.toBeUndefined();
  });

  it.each<[string, Record<string, unknown>, RegExp]>([
    ["a release that is not there", { version: "2024-06-01" }, /no release of 2024-06-01/],
    ["a hub out of reach", { data_dir: undefined }, /MixEval\/MixEval .*not in the cache/],
    ["an unknown parser", { parser: "rul" }, /Did you mean "rule"/],
    ["a judge parser without a judge", { parser: "judge" }, /needs judge_model/],
    ["a judge that nobody asks", { judge_model: "self" }, /asks no judge/],
    ["a judge that is none", { parser: "judge", judge_model: "https://x/v1" }, /does not say which model/],
    [
      "a metric that it does not give",
      { primary_metric: "mixeval_arc" },
      /They give mixeval, mixeval_hard, /,
    ],
    ["chats without a template", { base_model: false }, /no chat template/],
    ["a key that it does not have", { shots: 3 }, /shots/],
  ])("%s is found", async (_, table, message) => {
    await expect(prepare(table)).rejects.toThrowError(message);
  });
});
