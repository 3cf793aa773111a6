import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ElenchusError, type RowOutcome } from "../../../src/base/index.js";
import type { GenerationRequest } from "../../../src/language/index.js";
import { ScriptedLanguageModel } from "../../../src/language/index.js";
import { defineScorer } from "../../../src/scoring/defineScorer.js";
import { AccuracyAggregation, type ScoringThreads, scorers } from "../../../src/scoring/index.js";
import { type EvalTaskDocument, MemoryStages, parseEvalTask, runEvalTask } from "../../../src/tasks/index.js";

/** Five rows of which the model below answers three as expected. */
const QUESTIONS = [
  { input_query: "capital of France?", expected_answer: "Paris" },
  { input_query: "chief of Meta?", expected_answer: "Zuckerberg" },
  { input_query: "largest planet?", expected_answer: "Jupiter" },
  { input_query: "smallest country?", expected_answer: "Vatican City" },
  { input_query: "currency of Japan?", expected_answer: "Yen" },
];
const ANSWERS: Record<string, string> = {
  "capital of France?": "London",
  "chief of Meta?": "Zuckerberg",
  "largest planet?": "Jupiter",
  "smallest country?": "China",
  "currency of Japan?": "Yen",
};

function textOf({ prompt }: GenerationRequest): string {
  return typeof prompt === "string" ? prompt : (prompt.at(-1) as { content: string }).content;
}

function answering(answers = ANSWERS): ScriptedLanguageModel {
  return new ScriptedLanguageModel({ answer: (request) => answers[textOf(request)] ?? "?" });
}

function task(more: Partial<EvalTaskDocument> = {}): EvalTaskDocument {
  return {
    dataset: { type: "rows", identifier: "facts", rows: QUESTIONS },
    processor: "chat",
    scorers: ["equality"],
    ...more,
  };
}

/** Threads of which only the reading of answers is asked. */
function threadsThat(done: (index: number, row: unknown) => Promise<RowOutcome>): ScoringThreads {
  const rows = {
    do: (given: readonly { row: unknown; index: number }[]) =>
      given.map(({ row, index }) => done(index, row)),
    end() {},
  };
  const threads = { begin: () => rows } as unknown as ScoringThreads["threads"];
  return { threads, rows: () => undefined, interval: async () => null } as unknown as ScoringThreads;
}

describe("an evaluation", () => {
  it("asks, scores, and names metrics by their scorer", async () => {
    const result = await runEvalTask(task({ scorers: ["equality", "basic::subset_of"] }), {
      model: answering(),
    });
    expect(result.rows).toEqual({ total: 5, used: 5, answered: 5 });
    expect(result.metrics).toMatchObject({
      "equality:accuracy": 0.6,
      "equality:num_correct": 3,
      "equality:num_total": 5,
      "basic::subset_of:accuracy": 0.6,
    });
    expect(result.failures).toEqual([]);
  });

  it("takes rows whose numbers are larger than a double holds, as parquet files have them", async () => {
    const stages = new MemoryStages();
    const rows = [{ ...QUESTIONS[4]!, id: 2n ** 60n, more: { ids: [2n ** 61n] } }];
    const dataset = { type: "rows", identifier: "facts", rows } as const;
    const result = await runEvalTask(task({ dataset }), { model: answering(), stages });
    expect(result.metrics).toMatchObject({ "equality:accuracy": 1 });
    for await (const { row } of stages.rows("postprocessed")) {
      expect(row).toMatchObject({ id: "1152921504606846976", more: { ids: ["2305843009213693952"] } });
    }
  });

  it("heeds the sampling params", async () => {
    const model = answering();
    const asked: unknown[] = [];
    const generate = model.generate.bind(model);
    model.generate = async (requests, options) => {
      asked.push(options);
      return await generate(requests, options);
    };
    const sampling = {
      strategy: { type: "top_p" as const, temperature: 0.7, top_p: 0.9 },
      max_tokens: 7,
      stop: ["\n"],
      repetition_penalty: 1.1,
      seed: 3,
    };
    await runEvalTask(task({ sampling }), { model });
    expect(asked[0]).toMatchObject({
      temperature: 0.7,
      topP: 0.9,
      maxNewTokens: 7,
      stop: ["\n"],
      repetitionPenalty: 1.1,
      seed: 3,
    });
  });

  it("keeps every turn of a row's messages, behind the system message", async () => {
    const messages = [
      { role: "system", content: "Be brief." },
      { role: "user", content: "1+1?" },
      { role: "assistant", content: "2" },
      { role: "user", content: "2+2?" },
    ];
    const model = answering({ "2+2?": "4" });
    const result = await runEvalTask(
      task({
        dataset: {
          type: "rows",
          identifier: "turns",
          rows: [{ chat_completion_input: JSON.stringify(messages), expected_answer: "4" }],
        },
        processor: { name: "chat", params: { system_message: "You are exact." } },
      }),
      { model },
    );
    expect(result.metrics["equality:accuracy"]).toBe(1);
    expect(model.asked[0]).toMatchObject({
      prompt: [{ role: "system", content: "You are exact." }, ...messages],
    });
  });

  it("loses no other row to one that cannot be asked, and says why", async () => {
    const rows = [QUESTIONS[1]!, { expected_answer: "x" }, QUESTIONS[2]!];
    const result = await runEvalTask(task({ dataset: { type: "rows", identifier: "r", rows } }), {
      model: answering(),
    });
    expect(result.rows).toEqual({ total: 3, used: 3, answered: 2 });
    expect(result.failures).toEqual([
      { index: 1, stage: "preprocess", code: "ROW_INVALID", message: expect.stringContaining("no question") },
    ]);
    expect(result.metrics["equality:accuracy"]).toBe(1);
  });

  it("finds out which answer of a batch failed, and keeps the others", async () => {
    const model = new ScriptedLanguageModel({
      answer(request) {
        const text = textOf(request);
        if (text === "largest planet?") throw new ElenchusError("ENDPOINT_REFUSED", "too long");
        return ANSWERS[text];
      },
    });
    const result = await runEvalTask(task(), { model });
    expect(result.rows.answered).toBe(4);
    expect(result.failures).toMatchObject([{ index: 2, stage: "generate", code: "ENDPOINT_REFUSED" }]);
    expect(result.metrics).toMatchObject({ "equality:num_correct": 2, "equality:num_total": 4 });
  });

  it("fails where no row at all is answered", async () => {
    const rows = [{ a: 1 }, { a: 2 }];
    const run = runEvalTask(task({ dataset: { type: "rows", identifier: "r", rows } }), {
      model: answering(),
    });
    await expect(run).rejects.toMatchObject({ code: "SCORING_FAILED" });
  });

  it("ends at once where no row could do better", async () => {
    let calls = 0;
    const model = new ScriptedLanguageModel({
      answer() {
        calls += 1;
        throw new ElenchusError("CAPABILITY_MISSING", "no");
      },
    });
    await expect(runEvalTask(task(), { model, concurrency: 1 })).rejects.toMatchObject({
      code: "CAPABILITY_MISSING",
    });
    expect(calls).toBe(1);
  });

  it("ends where answers fail one after the other, and keeps what was there", async () => {
    const rows = Array.from({ length: 100 }, (_, number) => ({
      input_query: `${number}`,
      expected_answer: "",
    }));
    const stages = new MemoryStages();
    let calls = 0;
    const model = new ScriptedLanguageModel({
      answer(request) {
        if (Number(textOf(request)) < 3) return "yes";
        calls += 1;
        throw new ElenchusError("ENDPOINT_UNREACHABLE", "gone");
      },
    });
    const run = runEvalTask(task({ dataset: { type: "rows", identifier: "r", rows } }), {
      model,
      stages,
      concurrency: 1,
    });
    await expect(run).rejects.toMatchObject({ code: "ENDPOINT_UNREACHABLE" });
    expect(calls).toBe(25);
    expect(stages.has("generated", 2)).toBe(true);
  });

  it("ends where the threads do not work, or are closed, and blames no row", async () => {
    for (const code of ["WORKER_TIMEOUT", "WORKER_DIED", "INTERRUPTED"] as const) {
      const stages = new MemoryStages();
      let asked = 0;
      const threads = threadsThat(async () => {
        asked += 1;
        throw new ElenchusError(code, "no thread");
      });
      const run = runEvalTask(task(), { model: answering(), stages, threads, concurrency: 1 });
      await expect(run).rejects.toMatchObject({ code });
      expect(asked).toBeLessThanOrEqual(QUESTIONS.length);
      for await (const { index } of stages.rows("failed")) expect.unreachable(`row ${index} was blamed`);
      // What was asked is there for the next time.
      expect(stages.has("generated", 0)).toBe(true);
      expect((await runEvalTask(task(), { model: answering(), stages })).rows.answered).toBe(5);
    }
  });

  it("loses no other row to one that a thread has died of", async () => {
    const threads = threadsThat(async (index, row) =>
      index === 1
        ? { error: { code: "WORKER_DIED", message: "it needed more than 64 MiB" } }
        : { value: { ...(row as { sample: { data: object } }).sample.data, generated_answer: "Yen" } },
    );
    const result = await runEvalTask(task(), { model: answering(), threads });
    expect(result.rows.answered).toBe(4);
    expect(result.failures).toMatchObject([{ index: 1, stage: "postprocess", code: "WORKER_DIED" }]);
  });

  it("measures nothing of no rows, without dividing by none", async () => {
    const result = await runEvalTask(task({ dataset: { type: "rows", identifier: "none", rows: [] } }), {
      model: answering(),
    });
    expect(result.rows).toEqual({ total: 0, used: 0, answered: 0 });
    expect(result.metrics).toEqual({});
    expect(result.scorers[0]!.metrics).toBeNull();
  });

  it("tells two scorers of one name apart", async () => {
    const result = await runEvalTask(
      task({
        scorers: ["random", { name: "random", params: { seed: 5 } }, { name: "random", label: "mine" }],
      }),
      { model: answering() },
    );
    expect(result.scorers.map(({ label }) => label)).toEqual(["random", "random#2", "mine"]);
    expect(result.metrics["random:avg_random"]).not.toBe(result.metrics["random#2:avg_random"]);
    expect(() =>
      parseEvalTask(
        task({
          scorers: [
            { name: "random", label: "a" },
            { name: "equality", label: "a" },
          ],
        }),
      ),
    ).toThrowError(/label "a"/);
    // The benchmark's own metrics go by its name.
    const benchmark = (label: string) => ({
      processor: "harness:arc_easy",
      scorers: [{ name: "random", label }],
    });
    expect(() => parseEvalTask(benchmark("arc_easy"))).toThrowError(/called "arc_easy"/);
    expect(parseEvalTask(benchmark("other")).scorers).toHaveLength(1);
  });

  it("refuses what cannot be evaluated before it asks", () => {
    expect(() => parseEvalTask(task({ processor: "mmluu" }))).toThrowError(
      /No such processor or task: "mmluu"/,
    );
    expect(() => parseEvalTask(task({ scorers: [] }))).toThrowError(/without scorers/);
    expect(() => parseEvalTask({ processor: "chat", scorers: ["equality"] })).toThrowError(/name a dataset/);
    expect(() => parseEvalTask(task({ dataset: "nobody/nothing" }))).toThrowError(/No such dataset/);
    expect(() => parseEvalTask(task({ sampling: { max_tokens: -1 } }))).toThrowError(/max_tokens/);
    expect(() => parseEvalTask({ processor: "harness:mmlu" })).toThrowError(/group of 57/);
  });
});

describe("an evaluation that was interrupted", () => {
  it("stops within a row, and goes on without asking or judging anything twice", async () => {
    const judged: string[] = [];
    scorers.register(
      "counting",
      defineScorer({
        name: "counting",
        description: "",
        columns: [],
        params: z.strictObject({}),
        judge(row) {
          judged.push(String(row.input_query));
          return { score: Number(row.generated_answer === row.expected_answer) };
        },
        aggregation: () => new AccuracyAggregation(),
      }),
      { replace: true },
    );
    const stages = new MemoryStages();
    const stop = new AbortController();
    const asked: string[] = [];
    const model = new ScriptedLanguageModel({
      answer(request) {
        const text = textOf(request);
        asked.push(text);
        if (asked.length === 3) {
          stop.abort(new Error("enough"));
          stop.signal.throwIfAborted();
        }
        return ANSWERS[text];
      },
    });
    const document = task({ scorers: ["counting"] });
    const first = runEvalTask(document, { model, stages, signal: stop.signal, concurrency: 1 });
    await expect(first).rejects.toThrowError("enough");
    expect(stages.has("postprocessed", 1)).toBe(true);
    expect(stages.has("generated", 2)).toBe(false);

    const steps: number[] = [];
    const whole = await runEvalTask(document, {
      model,
      stages,
      concurrency: 1,
      progress: ({ done, total }) => steps.push(done, total),
    });
    expect(whole.metrics["counting:accuracy"]).toBe(0.6);
    expect(asked).toEqual([...QUESTIONS.slice(0, 3), ...QUESTIONS.slice(2)].map((row) => row.input_query));
    expect(steps.at(-2)).toBe(10);
    expect(steps.at(-1)).toBe(10);
    expect(judged).toHaveLength(5);

    const again = await runEvalTask(document, { model, stages });
    expect(again.metrics).toEqual(whole.metrics);
    expect(judged).toHaveLength(5);
    expect(asked).toHaveLength(6);
  });

  it("is scored anew, by other scorers and params, without asking the model", async () => {
    const stages = new MemoryStages();
    const model = answering();
    await runEvalTask(task(), { model, stages });
    const before = model.asked.length;
    const result = await runEvalTask(
      task({ scorers: ["basic::equality", { name: "random", params: { seed: 9 } }] }),
      { model, stages },
    );
    expect(model.asked).toHaveLength(before);
    expect(result.metrics["basic::equality:accuracy"]).toBe(0.6);
  });

  it("takes another limit than the run before, in both directions", async () => {
    const stages = new MemoryStages();
    const model = answering();
    const limited = (row_limit: number) => task({ row_limit, row_selection: "first" });
    const two = await runEvalTask(limited(2), { model, stages });
    expect(two.metrics["equality:num_total"]).toBe(2);
    const four = await runEvalTask(limited(4), { model, stages });
    expect(four.metrics["equality:num_total"]).toBe(4);
    const one = await runEvalTask(limited(1), { model, stages });
    expect(one.metrics["equality:num_total"]).toBe(1);
    expect(model.asked).toHaveLength(4);
    expect((await runEvalTask(limited(99), { model, stages })).rows).toEqual({
      total: 5,
      used: 5,
      answered: 5,
    });
  });
});
