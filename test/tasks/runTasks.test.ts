import { describe, expect, it } from "vitest";
import { EndpointLanguageModel, ScriptedLanguageModel } from "../../src/language/index.js";
import { errorKey, resolveTask, runTask, runTasks, type Task, type TaskRows } from "../../src/tasks/index.js";
import { arcRow, piqaRow } from "./documents.js";

const taskOf = (name: string): Task => resolveTask(name).tasks[0]!.task;
const only = (rows: TaskRows["evaluated"]): TaskRows => ({ evaluated: rows, pool: rows });

describe("runTasks", () => {
  it("asks everything in one batch per kind, equal requests once, and scores each task by its own", async () => {
    const calls: [string, number][] = [];
    class Counting extends ScriptedLanguageModel {
      override async logLikelihood(...args: Parameters<ScriptedLanguageModel["logLikelihood"]>) {
        calls.push([`scores ${args[1]?.boundary ?? "joint"}`, args[0].length]);
        return await super.logLikelihood(...args);
      }
      override async generate(...args: Parameters<ScriptedLanguageModel["generate"]>) {
        calls.push(["generations", args[0].length]);
        return await super.generate(...args);
      }
    }
    const model = new Counting({
      score: ({ continuation }) => (continuation === " two" ? -1 : -2),
      answer: () => " B\n",
    });
    const rows = [arcRow("same"), arcRow("same"), arcRow("other", "A")];
    const results = await runTasks(
      [
        { task: taskOf("harness:arc_easy"), rows: only(rows) },
        { task: taskOf("harness:arc_challenge"), rows: only(rows.slice(0, 1)) },
        { task: taskOf("arc:easy"), rows: only(rows) },
        { task: taskOf("piqa_hf"), rows: only([piqaRow("a", 1), piqaRow("b", 0)]) },
      ],
      model,
    );
    // Two different questions of three choices each, asked joint and apart; two questions to generate from.
    expect(calls).toEqual([
      ["scores joint", 6],
      ["scores separate", 6],
      ["generations", 2],
    ]);
    expect(results.map(({ task, metrics }) => [task.name, Object.fromEntries(metrics)])).toEqual([
      ["harness:arc_easy", { "acc,none": 2 / 3, "acc_norm,none": expect.any(Number) }],
      ["harness:arc_challenge", { "acc,none": 1, "acc_norm,none": 1 }],
      ["lighteval:arc_easy", { acc: 2 / 3 }],
      ["lighteval:piqa_hf", { em: 0.5 }],
    ]);
    expect(results[0]!.standardErrors.get("acc,none")).toBeCloseTo(1 / 3, 12);
    // One document has no standard error.
    expect(results[1]!.standardErrors.size).toBe(0);
  });

  it("tells how many of all requests are answered, also where the model does not", async () => {
    const rows = [arcRow("same"), arcRow("same"), arcRow("other", "A")];
    const chosen = [
      { task: taskOf("harness:arc_easy"), rows: only(rows) },
      { task: taskOf("piqa_hf"), rows: only([piqaRow("a", 1), piqaRow("b", 0)]) },
    ];
    const heard = async (model: ScriptedLanguageModel) => {
      const said: string[] = [];
      await runTasks(chosen, model, {
        onProgress: ({ done, total, known }) => void said.push(`${done}/${total} ${known}`),
      });
      return said;
    };
    const speaking = new ScriptedLanguageModel({ score: () => -1, answer: () => "A" });
    // Two different questions of three choices, and two to generate from.
    expect(await heard(speaking)).toEqual(["0/8 0", "6/8 0", "8/8 0"]);
    class Silent extends ScriptedLanguageModel {
      override logLikelihood(...[requests]: Parameters<ScriptedLanguageModel["logLikelihood"]>) {
        return super.logLikelihood(requests);
      }
    }
    expect(await heard(new Silent({ score: () => -1, answer: () => "A" }))).toEqual([
      "0/8 0",
      "6/8 0",
      "8/8 0",
    ]);
    class Boasting extends ScriptedLanguageModel {
      override logLikelihood(...[requests, options]: Parameters<ScriptedLanguageModel["logLikelihood"]>) {
        options?.onAnswered?.(4, true);
        options?.onAnswered?.(100);
        return super.logLikelihood(requests);
      }
    }
    expect(await heard(new Boasting({ score: () => -1, answer: () => "A" }))).toEqual([
      "0/8 0",
      "4/8 4",
      "6/8 4",
      "8/8 4",
    ]);
  });

  it("keeps what each document was asked, answered and scored", async () => {
    const model = new ScriptedLanguageModel({
      answer: ({ prompt }) => (String(prompt).includes("why") ? "A" : " "),
    });
    const result = await runTask(taskOf("piqa_hf"), only([piqaRow("why", 0), piqaRow("how", 0)]), model);
    expect(
      result.samples.map(({ document, answers, scores }) => [
        document.doc,
        answers.generations[0]!.text,
        scores.get("em"),
      ]),
    ).toEqual(
      expect.arrayContaining([
        [0, "A", 1],
        [1, " ", 0],
      ]),
    );
    expect(result).toMatchObject({ shots: 0, empty: 1, truncated: 0, dropped: [] });
  });

  it("does not show metrics of lighteval what an answer reasons, and keeps it in the samples", async () => {
    const answer = "<think>B or</think> A<think>!</think>";
    const model = new ScriptedLanguageModel({ answer: () => answer });
    const em = async (options: object) =>
      await runTask(taskOf("piqa_hf"), only([piqaRow("a", 0)]), model, options);
    const result = await em({});
    expect(result.metrics.get("em")).toBe(1);
    expect(result.samples[0]!.answers.generations[0]!.text).toBe(answer);
    expect((await em({ reasoningTags: [] })).metrics.get("em")).toBe(0);
    const open = new ScriptedLanguageModel({ answer: () => "A<think>" });
    expect((await runTask(taskOf("piqa_hf"), only([piqaRow("a", 0)]), open)).metrics.get("em")).toBe(0);
  });

  it("passes stop texts and lengths on, and counts prompts that were too long", async () => {
    const model = new ScriptedLanguageModel({ next: () => new Float32Array(300), contextLength: 64 });
    const result = await runTask(taskOf("piqa_hf"), only([piqaRow("long")]), model);
    expect(model.asked[0]).toMatchObject({ kind: "generate", stop: ["\n"], maxNewTokens: 1 });
    expect(result.truncated).toBe(1);
  });

  it("keeps lighteval's prompts whole where prompt and answer do not fit, and lets the harness's give way", async () => {
    const given: unknown[] = [];
    class Hearing extends ScriptedLanguageModel {
      override async generate(...[requests, options]: Parameters<ScriptedLanguageModel["generate"]>) {
        given.push(options?.givesWay);
        return await super.generate(requests, options);
      }
    }
    const rows = only([{ question: "1 + 1?", answer: "#### 2" }]);
    const both = ["gsm8k", "harness:gsm8k"].map((name) => ({ task: taskOf(name), rows, shots: 0 }));
    await runTasks(both, new Hearing({ answer: () => "2" }));
    expect(given).toEqual(["answer", undefined]);
  });

  it("renders chats for likelihoods with the model's template, and hands turns over to generate from", async () => {
    const model = new ScriptedLanguageModel({ score: () => -1, answer: () => "A" });
    await runTasks(
      [
        { task: taskOf("harness:arc_easy"), rows: only([arcRow("q")]) },
        { task: taskOf("piqa_hf"), rows: only([piqaRow("p")]) },
      ],
      model,
      { chat: {} },
    );
    expect(model.asked[0]).toMatchObject({
      context: "<|im_start|>user\nQuestion: q\nAnswer:<|im_end|>\n<|im_start|>assistant\n",
      continuation: "one",
    });
    expect(model.asked.at(-1)).toMatchObject({ prompt: [{ role: "user" }], stop: [] });
  });

  it("asks texts as a whole", async () => {
    const model = new ScriptedLanguageModel({ next: () => new Float32Array(300) });
    const page = " a - b \n c";
    const result = await runTask(taskOf("harness:wikitext"), only([{ page }]), model);
    expect(model.asked).toEqual([{ kind: "rolling", text: " a - b\nc" }]);
    // The begin token and each of the eight bytes have 1 of 300 chances; the page has ten bytes and five words, one
    // of them empty.
    expect(result.metrics.get("byte_perplexity,none")).toBeCloseTo(300 ** (9 / 10), 6);
    expect(result.metrics.get("word_perplexity,none")).toBeCloseTo(300 ** (9 / 5), 6);
    expect(result.standardErrors.size).toBe(0);
  });

  it("finds bootstrap errors, too small ones as lighteval has them, or none", async () => {
    const model = new ScriptedLanguageModel({ score: ({ context }) => -String(context).length });
    const rows = only(["one two", "three four", "a bcd"].map((text) => ({ text })));
    const error = async (options: object) =>
      (await runTask(taskOf("lambada:standard"), rows, model, options)).standardErrors.get("ppl");
    const sound = (await error({}))!;
    expect(sound).toBeGreaterThan(0);
    expect(await error({ stderr: "lighteval" })).toBeCloseTo(sound / Math.sqrt(1000), 12);
    expect(await error({ bootstrapDraws: 0 })).toBeUndefined();
  });

  it("refuses a task of which nothing is left", async () => {
    const model = new ScriptedLanguageModel({});
    await expect(runTask(taskOf("harness:arc_easy"), only([]), model)).rejects.toMatchObject({
      code: "DATA_INVALID",
    });
  });

  it("needs a tokenizer to find spans", async () => {
    const model = new EndpointLanguageModel({ url: "http://127.0.0.1:9", model: "none" } as never);
    const rows = only([{ query: "q", choices: ["a", "b"], gold: 0 }]);
    await expect(runTask(taskOf("core:copa"), rows, model)).rejects.toMatchObject({
      code: "CAPABILITY_MISSING",
    });
  });

  it("names keys as the harness does", () => {
    const task = taskOf("harness:gsm8k");
    expect(task.metrics.map((metric) => errorKey(task, metric))).toEqual([
      "exact_match_stderr,strict-match",
      "exact_match_stderr,flexible-extract",
    ]);
    expect(errorKey(taskOf("piqa"), { name: "em" })).toBe("em_stderr");
  });
});
