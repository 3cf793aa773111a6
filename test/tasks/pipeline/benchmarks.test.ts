import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { silentLogger, systemClock } from "../../../src/base/index.js";
import { hubSettings } from "../../../src/hub/index.js";
import { EndpointLanguageModel, ScriptedLanguageModel } from "../../../src/language/index.js";
import type { ScoringThreads } from "../../../src/scoring/index.js";
import { taskScorer } from "../../../src/tasks/benchmark/taskScorer.js";
import { MemoryStages, resolveTask, runEvalTask, runTask } from "../../../src/tasks/index.js";
import { temporaryFolder } from "../../support/temporaryFolder.js";
import { arcRow } from "../documents.js";

const folder = temporaryFolder("benchmarks");

const rowsOf = (identifier: string, rows: readonly Record<string, unknown>[]) => ({
  type: "rows" as const,
  identifier,
  rows: [...rows],
});

/** Says how likely a text is by its length and a sign of its own; one text cannot be at all. */
const likelihood = ({ context, continuation }: { context: unknown; continuation: unknown }) =>
  String(continuation) === " three" && String(context).includes("never")
    ? Number.NEGATIVE_INFINITY
    : -((String(context).length * 7 + String(continuation).length * 13) % 11) - 0.25;

const ARC = Array.from({ length: 12 }, (_, number) =>
  arcRow(`${number === 5 ? "never" : "what"} ${"x".repeat(number)}?`, "ABC"[number % 3]),
);

describe("a benchmark task in an evaluation", () => {
  it.each(["harness:arc_easy", "lighteval:arc_challenge"])(
    "measures %s as the task run by itself does, answers stored between",
    async (name) => {
      const script = () => new ScriptedLanguageModel({ score: likelihood, answer: () => " B" });
      const { task } = resolveTask(name).tasks[0]!;
      const alone = await runTask(task, { evaluated: ARC, pool: ARC }, script(), { shots: 0 });
      const result = await runEvalTask(
        { processor: { name, params: { shots: 0 } }, dataset: rowsOf("arc", ARC) },
        { model: script(), concurrency: 5 },
      );
      const label = name.split(":")[1]!;
      for (const [key, value] of alone.metrics) {
        expect(result.metrics[`${label}:${key}`], key).toBe(value);
      }
      expect(Object.keys(result.metrics).length).toBeGreaterThanOrEqual(alone.metrics.size);
      expect(result.rows).toEqual({ total: 12, used: 12, answered: 12 });
    },
  );

  it("goes on from stored answers, minus infinity among them, and is scored by others beside its own", async () => {
    const stages = new MemoryStages();
    const document = {
      processor: { name: "harness:arc_easy", params: { shots: 0 } },
      dataset: rowsOf("arc", ARC),
    };
    const model = new ScriptedLanguageModel({ score: likelihood });
    const first = await runEvalTask(document, { model, stages });
    const silent = new ScriptedLanguageModel({});
    const again = await runEvalTask({ ...document, scorers: ["random"] }, { model: silent, stages });
    expect(again.metrics).toMatchObject(first.metrics);
    expect(again.metrics["random:avg_random"]).toBeGreaterThan(0);
    expect(silent.asked).toEqual([]);
  });

  it("says so where its rows are an excerpt, as the network is out of reach", async () => {
    const settings = hubSettings({ HF_HUB_OFFLINE: "1", HF_HUB_CACHE: folder });
    const warnings: string[] = [];
    const result = await runEvalTask(
      { processor: { name: "harness:arc_easy", params: { shots: 0 } }, row_limit: 3, row_selection: "first" },
      {
        model: new ScriptedLanguageModel({ score: likelihood }),
        taskRows: { hub: { settings, logger: silentLogger, clock: systemClock } },
        logger: { ...silentLogger, warn: (text: string) => void warnings.push(text) },
      },
    );
    expect(result.shortfall).toBe("an excerpt of harness:arc_easy");
    expect(warnings).toEqual([expect.stringContaining("an excerpt of harness:arc_easy")]);
  });

  it("takes the first documents of the task's own order", async () => {
    const model = new ScriptedLanguageModel({ score: likelihood });
    const { task } = resolveTask("harness:arc_easy").tasks[0]!;
    const alone = await runTask(task, { evaluated: ARC, pool: ARC }, model, { shots: 0, limit: 4 });
    const result = await runEvalTask(
      {
        processor: { name: "harness:arc_easy", params: { shots: 0 } },
        dataset: rowsOf("arc", ARC),
        row_limit: 4,
        row_selection: "first",
      },
      { model },
    );
    expect(result.rows).toEqual({ total: 12, used: 4, answered: 4 });
    expect(result.metrics["arc_easy:acc,none"]).toBe(alone.metrics.get("acc,none"));
  });

  it("reads Meta's prompts of MMLU-Pro, and the last letter an answer settles on", async () => {
    const rows = [
      ["The best answer is A. No: the best answer is c.", "C"],
      ["Surely the best answer is B", "B"],
      ["b", "B"],
    ].map(([, gold], number) => ({
      input_question: `q${number}`,
      input_final_prompts: [`examples, then q${number}`],
      input_correct_responses: [gold],
    }));
    const answers = ["The best answer is A. No: the best answer is C.", "Surely the best answer is B", "b"];
    const model = new ScriptedLanguageModel({
      answer: ({ prompt }) => answers[Number(String(prompt).at(-1))],
    });
    const result = await runEvalTask(
      { processor: "harness:meta_mmlu_pro_instruct", dataset: rowsOf("meta", rows) },
      { model },
    );
    expect(result.metrics["meta_mmlu_pro_instruct:exact_match,strict-match"]).toBe(2 / 3);
    expect(model.asked[0]).toMatchObject({ prompt: "examples, then q0", maxNewTokens: 1024, stop: [] });
  });

  it("counts Meta's IFEval strictly and loosely, by prompt and by instruction", async () => {
    const rows = [
      { prompt: "no comma", instruction_id_list: ["punctuation:no_comma"], kwargs: [{}] },
      {
        prompt: "no comma and a title",
        instruction_id_list: ["punctuation:no_comma", "detectable_format:title"],
        kwargs: [{}, {}],
      },
    ];
    const model = new ScriptedLanguageModel({
      answer: ({ prompt }) => (String(prompt).includes("title") ? "plain words" : "Sure, here:\nplain words"),
    });
    const result = await runEvalTask(
      { processor: "harness:meta_ifeval", dataset: rowsOf("ifeval", rows) },
      { model },
    );
    expect(result.metrics).toMatchObject({
      "meta_ifeval:prompt_level_strict_acc,none": 0,
      "meta_ifeval:inst_level_strict_acc,none": 1 / 3,
      "meta_ifeval:prompt_level_loose_acc,none": 0.5,
      "meta_ifeval:inst_level_loose_acc,none": 2 / 3,
    });
  });

  it("fails where a thread cannot make its figures, instead of making them where all else waits", async () => {
    for (const error of [{ code: "WORKER_DIED", message: "out of memory" }, { message: "no such figures" }]) {
      const rows = { do: () => [Promise.resolve({ error })], end() {} };
      const { task } = resolveTask("harness:arc_easy").tasks[0]!;
      const scoring = taskScorer(task).score([{ task_values: { acc: 1 } }], undefined, undefined, {
        threads: { threads: { begin: () => rows } } as unknown as ScoringThreads,
      });
      const run = (async () => {
        for await (const _ of scoring.rows);
      })();
      const said = `arc_easy over 1 rows cannot be had: ${error.message}`;
      await expect(run).rejects.toMatchObject({
        message: expect.stringContaining(said),
        ...(error.code && { code: error.code }),
      });
    }
  });

  it("samples as it is asked to, and keeps the task's own ends", async () => {
    const options: unknown[] = [];
    const model = new ScriptedLanguageModel({ answer: () => "x" });
    const generate = model.generate.bind(model);
    model.generate = async (requests, given) => {
      options.push({ ...given, ...requests[0] });
      return await generate(requests, given);
    };
    await runEvalTask(
      {
        processor: { name: "harness:gsm8k", params: { shots: 0 } },
        dataset: rowsOf("gsm8k", [{ question: "1+1?", answer: "#### 2" }]),
        sampling: { temperature: 0.5, max_tokens: 9, stop: ["!"] },
      },
      { model },
    );
    expect(options[0]).toMatchObject({
      temperature: 0.5,
      maxNewTokens: 9,
      stop: ["Question:", "</s>", "<|im_end|>", "!"],
    });
  });

  it("is CAPABILITY_MISSING on a server that gives no log probabilities", async () => {
    const server = createServer((_, response) => {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ choices: [{ text: "x", finish_reason: "length" }] }));
    });
    await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
    const { port } = server.address() as AddressInfo;
    const model = new EndpointLanguageModel({ url: `http://127.0.0.1:${port}`, model: "m", firstPause: 1 });
    const run = runEvalTask(
      { processor: { name: "harness:arc_easy", params: { shots: 0 } }, dataset: rowsOf("arc", ARC) },
      { model },
    );
    await expect(run).rejects.toMatchObject({ code: "CAPABILITY_MISSING" });
    server.close();
  });
});
