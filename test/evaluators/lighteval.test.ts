import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { silentLogger, systemClock } from "../../src/base/index.js";
import { TrainingContext } from "../../src/context/index.js";
import {
  EvaluationResult,
  evaluateRound,
  LightevalEvaluator,
  prepareEvaluators,
  presetCatalog,
  registry,
} from "../../src/evaluators/index.js";
import { hubSettings } from "../../src/hub/index.js";
import { type Script, ScriptedLanguageModel } from "../../src/language/index.js";
import { createByteTokenizer } from "../../src/tokenizers/index.js";
import { temporaryFolder } from "../support/temporaryFolder.js";

const folder = temporaryFolder("lighteval");
const rows = (path: string, list: readonly object[]) => {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, list.map((row) => JSON.stringify(row)).join("\n"));
};
const arc = (question: string, answerKey: string) => ({
  id: question,
  question,
  choices: { text: ["one", "two", "three"], label: ["A", "B", "C"] },
  answerKey,
});
const scene = (label: string) => ({
  activity_label: "Cooking",
  ctx_a: "She stirs.",
  ctx_b: "the pot",
  endings: ["boils", "sings", "flies", "sleeps"],
  label,
});
const goal = (label: number) => ({ goal: "Cut bread", sol1: "a knife", sol2: "a spoon", label });

beforeAll(() => {
  rows("google__IFEval/default/train.jsonl", [
    {
      key: 1,
      prompt: "Write without commas.",
      instruction_id_list: ["punctuation:no_comma"],
      kwargs: [{}],
    },
    {
      key: 2,
      prompt: "Write in capitals.",
      instruction_id_list: ["change_case:english_capital", "punctuation:no_comma"],
      kwargs: [{}, {}],
    },
  ]);
  rows("Rowan__hellaswag/default/validation.jsonl", [scene("0"), scene("1"), scene("0"), scene("0")]);
  rows(
    "allenai__ai2_arc/ARC-Easy/test.jsonl",
    ["A", "B", "B", "B"].map((key, place) => arc(`e${place}`, key)),
  );
  rows(
    "allenai__ai2_arc/ARC-Challenge/test.jsonl",
    ["B", "A"].map((key, place) => arc(`c${place}`, key)),
  );
  rows("gimmaru__piqa/default/validation.jsonl", [goal(0), goal(1)]);
});

/** Thinks that the second choice is likeliest, and writes an A or a sentence without commas. */
const SECOND: Script = {
  score: ({ continuation }) => (continuation === " two" ? -1 : -2),
  answer: ({ maxNewTokens }) => (maxNewTokens === 1 ? "A" : "All is well"),
};

async function evaluate(
  table: object,
  {
    script = SECOND,
    model = new ScriptedLanguageModel(script),
    samplesFolder,
  }: { script?: Script; model?: unknown; samplesFolder?: string } = {},
) {
  const config = { evaluation: { type: "lighteval", data_dir: folder, ...table } };
  const context = new TrainingContext({ currentRound: 1, device: "cpu" });
  const lines: string[] = [];
  const note = (line: string) => void lines.push(line);
  const logger = { ...silentLogger, info: note, warn: note };
  for await (const ran of evaluateRound({ config, context, model, logger, samplesFolder })) {
    return { ...ran, lines, metrics: ran.outcome.result?.metrics, details: ran.outcome.details };
  }
  throw new Error("nothing was due");
}

/** Half of the first quarter of one in two... said once: of n scores of 0 and 1 with this mean. */
const error = (mean: number, n: number) => Math.sqrt((mean * (1 - mean)) / (n - 1));

describe("the evaluator lighteval with Plato's preset", () => {
  it("gives Plato's six numbers in its order, by hand", async () => {
    const { outcome, metrics } = await evaluate({});
    expect(outcome.status).toBe("ok");
    // IFEval: the first prompt is followed; of the second one of two instructions is not.
    expect(Object.entries(metrics!)).toEqual([
      ["ifeval_avg", 0.5],
      ["hellaswag", 3 / 4],
      ["arc_easy", 3 / 4],
      ["arc_challenge", 1 / 2],
      ["arc_avg", 5 / 8],
      ["piqa", 1 / 2],
    ]);
    expect(outcome.result).toMatchObject({
      evaluator: "lighteval",
      primary_metric: "ifeval_avg",
      primary_value: 0.5,
      artifacts: {},
    });
    expect(new Set(Object.values(outcome.result!.higher_is_better))).toEqual(new Set([true]));
  });

  it("gives every detail under Plato's name, with standard errors", async () => {
    const { details, outcome } = await evaluate({});
    const arcError = Math.hypot(error(3 / 4, 4), error(1 / 2, 2)) / 2;
    expect(details).toEqual({
      ifeval_prompt_level_strict_acc: 0.5,
      ifeval_prompt_level_strict_acc_stderr: 0.5,
      ifeval_inst_level_strict_acc: 2 / 3,
      ifeval_inst_level_strict_acc_stderr: expect.closeTo(error(2 / 3, 3), 12),
      ifeval_prompt_level_loose_acc: 0.5,
      ifeval_prompt_level_loose_acc_stderr: 0.5,
      ifeval_inst_level_loose_acc: 2 / 3,
      ifeval_inst_level_loose_acc_stderr: expect.closeTo(error(2 / 3, 3), 12),
      hellaswag_em: 3 / 4,
      hellaswag_em_stderr: expect.closeTo(error(3 / 4, 4), 12),
      arc_easy_acc: 3 / 4,
      arc_easy_acc_stderr: expect.closeTo(error(3 / 4, 4), 12),
      arc_challenge_acc: 1 / 2,
      arc_challenge_acc_stderr: 0.5,
      piqa_em: 1 / 2,
      piqa_em_stderr: 0.5,
      arc_avg_acc: 5 / 8,
      arc_avg_acc_stderr: expect.closeTo(arcError, 12),
      all_prompt_level_strict_acc: 0.5,
      all_prompt_level_strict_acc_stderr: 0.5,
      all_inst_level_strict_acc: 2 / 3,
      all_inst_level_strict_acc_stderr: expect.closeTo(error(2 / 3, 3), 12),
      all_prompt_level_loose_acc: 0.5,
      all_prompt_level_loose_acc_stderr: 0.5,
      all_inst_level_loose_acc: 2 / 3,
      all_inst_level_loose_acc_stderr: expect.closeTo(error(2 / 3, 3), 12),
      all_em: 5 / 8,
      all_em_stderr: expect.closeTo(arcError, 12),
      all_acc: 5 / 8,
      all_acc_stderr: expect.closeTo(arcError, 12),
    });
    const { raw_metrics: raw, tasks, backend, preset } = outcome.result!.metadata as Record<string, object>;
    expect([backend, preset]).toEqual(["transformers", "smollm_round_fast"]);
    expect(tasks).toEqual(["ifeval", "hellaswag", "arc_easy", "arc_challenge", "piqa"]);
    expect(Object.keys(raw!)).toEqual([
      "ifeval:0",
      "hellaswag:0",
      "arc:easy:0",
      "arc:challenge:0",
      "piqa_hf:0",
      "arc:_average:0",
      "all",
    ]);
  });

  it("takes the mean of standard errors, and too small ones, where lighteval's are asked for", async () => {
    const { details } = await evaluate({ stderr: "lighteval" });
    expect(details.arc_avg_acc_stderr).toBeCloseTo((error(3 / 4, 4) + 0.5) / 2, 12);
    expect(details.arc_easy_acc_stderr).toBeCloseTo(error(3 / 4, 4), 12);
    // 1000 draws of two prompts with 1 of 1 and 1 of 2 instructions: the deviation lies near 0.16, lighteval's is a 32nd.
    expect(details.ifeval_inst_level_strict_acc_stderr).toBeGreaterThan(0.002);
    expect(details.ifeval_inst_level_strict_acc_stderr).toBeLessThan(0.02);
  });

  it("asks all requests of a kind at once, equal ones once", async () => {
    const model = new ScriptedLanguageModel(SECOND);
    await evaluate({}, { model });
    const calls = { logLikelihood: 0, generate: 0, rolling: 0 };
    for (const { kind } of model.asked) calls[kind] += 1;
    // 6 ARC questions with 3 choices; 2 prompts; one scene and one goal, however often they stand in the rows.
    expect(calls).toEqual({ logLikelihood: 18, generate: 4, rolling: 0 });
  });

  it("marks what was cut as partial", async () => {
    const { outcome } = await evaluate({ max_samples: 1 });
    expect(outcome).toMatchObject({
      status: "partial",
      reason: "used 5 of 14 examples",
      sampled: { used: 5, total: 14 },
    });
    expect((await evaluate({ limit: 2, max_samples: 3 })).outcome.sampled).toEqual({ used: 10, total: 14 });
  });

  it("has intervals of tasks, means and details on request", async () => {
    const { details } = await evaluate({ confidence: 0.95 });
    const bound = 1.959963984540054;
    const [easy, challenge] = [details.arc_easy_acc_stderr!, details.arc_challenge_acc_stderr!];
    expect(details.arc_easy_ci_low).toBeCloseTo(0.75 - bound * error(0.75, 4), 10);
    expect(details.arc_easy_acc_ci_high).toBeCloseTo(0.75 + bound * easy, 10);
    expect(details.arc_avg_ci_high! - details.arc_avg_ci_low!).toBeCloseTo(
      bound * Math.sqrt(easy ** 2 + challenge ** 2),
      10,
    );
    expect(details).not.toHaveProperty("ifeval_avg_ci_low");
  });

  it("logs samples where they are asked for", async () => {
    const samplesFolder = join(folder, "samples");
    await evaluate({}, { samplesFolder });
    expect(existsSync(samplesFolder)).toBe(false);
    await evaluate({ log_samples: true }, { samplesFolder });
    const tasks = ["arc_challenge", "arc_easy", "hellaswag", "ifeval", "piqa"];
    expect(readdirSync(samplesFolder).sort()).toEqual(tasks.map((task) => `1-lighteval-${task}.jsonl`));
    const samples = (task: string) =>
      readFileSync(join(samplesFolder, `1-lighteval-${task}.jsonl`), "utf8")
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line));
    expect(samples("arc_easy")).toHaveLength(4);
    expect(samples("arc_easy").find(({ doc }) => doc === 1)).toEqual({
      evaluator: "lighteval",
      task: "arc_easy",
      doc: 1,
      requests: [
        {
          kind: "loglikelihood",
          prompts: ["Question: e1\nAnswer:"],
          continuations: [" one", " two", " three"],
        },
      ],
      answers: [-2, -1, -2].map((log_likelihood) => ({ log_likelihood, greedy: false, tokens: 1 })),
      gold: 1,
      scores: { acc: 1 },
    });
    expect(samples("piqa")[0]).toMatchObject({
      answers: [{ text: "A" }],
      requests: [{ stop: ["\n"], max_new_tokens: 1 }],
    });
  });

  it("says when answers are empty", async () => {
    const { lines } = await evaluate({}, { script: { ...SECOND, answer: () => "" } });
    expect(lines).toContain("[lighteval] piqa: 2 of 2 answers are empty");
  });
});

describe("tasks of one's own choice", () => {
  it("may be of any dialect, with shots, and plain piqa is the one with validation rows", async () => {
    rows("allenai__ai2_arc/ARC-Easy/train.jsonl", [arc("t0", "A"), arc("t1", "C")]);
    const { outcome, metrics, details } = await evaluate({
      tasks: ["harness:arc_easy", "arc:easy|1", "piqa"],
      primary_metric: "piqa",
    });
    expect(outcome.status).toBe("ok");
    expect(metrics).toEqual({ harness_arc_easy: 3 / 4, arc_easy: 3 / 4, piqa: 1 / 2 });
    expect(details).toMatchObject({
      harness_arc_easy_acc_norm_none: expect.any(Number),
      arc_easy_acc: 3 / 4,
    });
    expect(details).not.toHaveProperty("arc_avg_acc");
    expect(outcome.result!.primary_metric).toBe("piqa");
  });

  it("have names of their own where one is asked twice", async () => {
    const { metrics } = await evaluate({ tasks: ["arc_easy", "arc_easy|1"] });
    expect(Object.keys(metrics!)).toEqual(["lighteval_arc_easy_0_shots", "lighteval_arc_easy_1_shots"]);
    const { outcome } = await evaluate({ tasks: ["arc_easy", "arc:easy"] });
    expect(outcome.reason).toMatch(/asked for twice/);
  });

  it("lists every place where rows were looked for, of all tasks", async () => {
    const { outcome } = await evaluate({ tasks: ["openbookqa", "winogrande", "arc_easy"] });
    expect(outcome.status).toBe("failed");
    expect(outcome.reason).toContain(join(folder, "allenai__openbookqa", "main", "validation"));
    expect(outcome.reason).toContain(join(folder, "allenai__winogrande", "winogrande_xl", "validation"));
    expect(outcome.reason).not.toContain("ai2_arc");
  });

  it("are partial where a split of theirs is not there", async () => {
    const open = { question_stem: "?", choices: { text: ["a", "b"], label: ["A", "B"] }, answerKey: "A" };
    rows("allenai__openbookqa/main/test.jsonl", [open]);
    const { outcome } = await evaluate({ tasks: ["openbookqa"] });
    expect(outcome).toMatchObject({ status: "partial", reason: "openbookqa without validation" });
  });

  it("refuses a primary metric that they do not give", async () => {
    const { outcome } = await evaluate({ tasks: ["arc_easy"], primary_metric: "piqa" });
    expect(outcome).toMatchObject({ status: "failed", error: { code: "EVALUATION_CONFIG" } });
    expect(outcome.reason).toMatch(/They give arc_easy\./);
  });
});

describe("options", () => {
  const fault = (table: object) => {
    try {
      registry.get({ type: "lighteval", ...table });
      return "";
    } catch (thrown) {
      return (thrown as Error).message;
    }
  };

  it("are Plato's, and what is known but not there says so", () => {
    const plato = { preset: "smollm_round_fast", backend: "accelerate", batch_size: 8, max_length: 64 };
    expect(fault({ ...plato, max_samples: 32, model_parallel: false, dtype: "float32", device: "cpu" })).toBe(
      "",
    );
    expect(fault({ batch_size: "auto" })).toBe("");
    expect(fault({ preset: "nothing" })).toMatch(/preset = "nothing": expected one of "smollm_round_fast"/);
    for (const key of ["batch_size", "max_length", "max_samples"])
      expect(fault({ [key]: 1.5 })).toContain(key);
    expect(fault({ dtype: "bfloat16" })).toMatch(/dtype = "bfloat16": expected "float32"/);
    expect(fault({ backend: "vllm" })).toMatch(/backend = "vllm": expected "transformers" or "accelerate"/);
    expect(fault({ model_parallel: true })).toMatch(/model_parallel = true: expected false/);
    expect(fault({ tasks: ["piqa"], preset: "smollm_round_fast" })).toMatch(
      /tasks = \["piqa"\]: expected either tasks or a preset/,
    );
    expect(fault({ taks: [] })).toMatch(/taks/);
  });

  it("of the device is the back end on which the model is", async () => {
    expect((await evaluate({ device: "cpu" })).outcome.status).toBe("ok");
    const { outcome } = await evaluate({ device: "node-gpu" });
    expect(outcome.reason).toMatch(/device is "node-gpu".*"cpu"/);
    const prepared = (device: string, backend: string) => {
      const evaluation = { type: "lighteval", tasks: ["arc_easy"], data_dir: folder, device };
      const hub = { settings: hubSettings({}), logger: silentLogger, clock: systemClock };
      return prepareEvaluators({ config: { evaluation, trainer: { backend } }, hub } as never);
    };
    await expect(prepared("wasm", "auto")).resolves.toBeUndefined();
    await expect(prepared("cuda", "auto")).rejects.toThrow(/device is "cuda".*name a back end: .*wasm/);
    await expect(prepared("wasm", "cpu")).rejects.toThrow(/trainer.backend = "wasm"/);
  });

  it("are pointed at where they are the fault", async () => {
    const pathOf = async (...tables: object[]) => {
      const evaluation = tables.map((table) => ({
        type: "lighteval",
        data_dir: folder,
        tasks: ["arc_easy"],
        ...table,
      }));
      const hub = { settings: hubSettings({}), logger: silentLogger, clock: systemClock };
      const config = { evaluation, trainer: { backend: "cpu" } };
      const error = await prepareEvaluators({ config, tokenizer: createByteTokenizer(), hub } as never).catch(
        (thrown: unknown) => thrown,
      );
      return (error as { details: { path: unknown } }).details.path;
    };
    expect(await pathOf({}, { name: "b", tasks: ["arc_esay"] })).toEqual(["evaluation", 1, "tasks"]);
    expect(await pathOf({ primary_metric: "piqa" })).toEqual(["evaluation", 0, "primary_metric"]);
    expect(await pathOf({ device: "cuda" })).toEqual(["evaluation", 0, "device"]);
    expect(await pathOf({ chat_template: true })).toEqual(["evaluation", 0, "chat_template"]);
    expect(await pathOf({ data_dir: "nowhere" })).toEqual(["evaluation", 0, "data_dir"]);
    expect(await pathOf({ sources: "nowhere.json" })).toEqual(["evaluation", 0, "sources"]);
  });

  it("asks as turns of a chat where the tokenizer has a template, unless told otherwise", async () => {
    const tokenizer = { ...createByteTokenizer(), chatTemplate: "{{ messages[-1].content }}!" };
    const prompts = async (chat_template: unknown) => {
      const model = new ScriptedLanguageModel({ ...SECOND, tokenizer });
      const { outcome } = await evaluate(
        { tasks: ["piqa"], chat_template, system_prompt: "Be brief." },
        { model },
      );
      expect(outcome.status).toBe("ok");
      return model.asked.map((one) => (one.kind === "generate" ? one.prompt : undefined));
    };
    const [turns] = await prompts("auto");
    expect(turns).toMatchObject([{ role: "system", content: "Be brief." }, { role: "user" }]);
    expect(await prompts(true)).toEqual([turns]);
    expect((await prompts(false))[0]).toMatch(/^Be brief\.\n\nThe following/);
    const { outcome } = await evaluate({ tasks: ["piqa"], chat_template: true });
    expect(outcome.reason).toMatch(/no chat template/);
  });

  it("limits what the model reads, and counts prompts that were cut", async () => {
    const { outcome } = await evaluate(
      { tasks: ["hellaswag"], max_length: 40 },
      { script: { next: (tokens) => ({ length: 257, 65: tokens.length }) as never } },
    ).catch((thrown: Error) => ({ outcome: { reason: thrown.message, result: null } }));
    const { runs } = (outcome.result?.metadata ?? {}) as {
      runs?: Record<string, { truncated_prompts: number }>;
    };
    expect(runs?.hellaswag?.truncated_prompts, outcome.reason ?? "").toBe(4);
  });
});

describe("what it needs", () => {
  it("is a language model", async () => {
    const { outcome } = await evaluate({}, { model: { predict() {} } });
    expect(outcome).toMatchObject({ status: "failed", error: { code: "CAPABILITY_MISSING" } });
    expect(outcome.reason).toMatch(/trainer types gpt, HuggingFace and nanochat/);
  });

  it("makes a result by hand too, without the registry", async () => {
    const evaluator = new LightevalEvaluator({ tasks: ["piqa"], data_dir: folder } as never);
    const result = await evaluator.evaluate({
      model: new ScriptedLanguageModel(SECOND),
      context: new TrainingContext({ device: "cpu" }),
      signal: new AbortController().signal,
      logger: silentLogger,
    } as never);
    expect(result).toBeInstanceOf(EvaluationResult);
    expect(result.metrics).toEqual({ piqa: 1 / 2 });
  });
});

it("names its presets for lists and in the documentation", () => {
  const page = readFileSync(new URL("../../docs/evaluators.md", import.meta.url), "utf8");
  for (const { name, description } of presetCatalog()) {
    expect(page).toContain(`\`${name}\``);
    expect(description).not.toBe("");
  }
});
