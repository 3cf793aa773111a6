import LlamaStackClient from "llama-stack-client";
import { afterAll, describe, expect, it } from "vitest";
import { ScriptedLanguageModel } from "../../../src/language/index.js";
import { ACCURACY, FIVE_ROWS } from "../support/fiveRows.js";
import { testService } from "../support/testService.js";

/** Answers three of the five questions rightly, and a judge's question with a letter. */
const model = new ScriptedLanguageModel({
  name: "parrot",
  answer: ({ prompt }) => {
    const turns = prompt as readonly { role: string; content: string }[];
    const question = turns.at(-1)?.content;
    return FIVE_ROWS.find(({ input_query }) => input_query === question)?.generated_answer ?? "A";
  },
});
const { app } = await testService({ models: { parrot: model } });
const url = await app.listen({ host: "127.0.0.1", port: 0 });
const client = new LlamaStackClient({ baseURL: url, maxRetries: 0, timeout: 30_000 });
afterAll(() => app.close());

/** The published client, as it is, against the service. */
describe("llama-stack-client", () => {
  it("registers, lists, reads, grows and removes data sets", async () => {
    const dataset = await client.beta.datasets.register({
      dataset_id: "five",
      purpose: "eval/messages-answer",
      source: { type: "rows", rows: FIVE_ROWS },
    });
    expect(dataset).toMatchObject({ identifier: "five", purpose: "eval/messages-answer", type: "dataset" });
    expect((await client.beta.datasets.list()).map(({ identifier }) => identifier)).toContain("five");
    expect((await client.beta.datasets.retrieve("five")).identifier).toBe("five");
    expect(await client.beta.datasets.iterrows("five", { start_index: 3, limit: 1 })).toMatchObject({
      data: [{ expected_answer: "Vatican City" }],
      has_more: true,
    });
    await client.beta.datasets.register({
      dataset_id: "gone",
      purpose: "eval/question-answer",
      source: { rows: [] },
    });
    await client.beta.datasets.appendrows("gone", { rows: [{ a: 1 }] });
    expect((await client.beta.datasets.iterrows("gone")).data).toEqual([{ a: 1 }]);
    await client.beta.datasets.unregister("gone");
    await expect(client.beta.datasets.retrieve("gone")).rejects.toMatchObject({ status: 404 });
  });

  it("scores rows and data sets: the acceptance fixture", async () => {
    const functions = { "basic::equality": null, "basic::subset_of": null };
    const scored = await client.scoring.score({ input_rows: FIVE_ROWS, scoring_functions: functions });
    for (const id of Object.keys(functions)) {
      expect(scored.results[id]!.score_rows.map(({ score }) => score)).toEqual([0, 1, 1, 0, 1]);
      expect(scored.results[id]!.aggregated_results.accuracy).toMatchObject(ACCURACY);
    }
    const batch = await client.scoring.scoreBatch({
      dataset_id: "five",
      scoring_functions: functions,
      save_results_dataset: true,
    });
    expect(batch.results["basic::equality"]!.aggregated_results.accuracy).toMatchObject(ACCURACY);
    const saved = await client.beta.datasets.iterrows(batch.dataset_id!);
    expect(saved.data[0]).toMatchObject({
      expected_answer: "Paris",
      scores: { "basic::equality": { score: 0 } },
    });
  });

  it("registers scoring functions of its own", async () => {
    await client.scoringFunctions.register({
      scoring_fn_id: "letters",
      description: "A judge that says a letter",
      return_type: { type: "string" },
      params: {
        type: "llm_as_judge",
        judge_model: "parrot",
        prompt_template: 'Reply {"grade": ...} to {input_query}',
        judge_score_regexes: ["^([A-D])$"],
        aggregation_functions: ["categorical_count"],
      },
    });
    expect((await client.scoringFunctions.retrieve("letters")).type).toBe("scoring_function");
    const names = (await client.scoringFunctions.list()).map(({ identifier }) => identifier);
    expect(names).toEqual(
      expect.arrayContaining(["letters", "basic::equality", "llm-as-judge::405b-simpleqa"]),
    );
    const { results } = await client.scoring.score({
      input_rows: FIVE_ROWS,
      scoring_functions: { letters: null },
    });
    expect(results.letters!.aggregated_results.categorical_count).toMatchObject({
      categorical_count: { A: 5 },
    });
    expect(results.letters!.score_rows[0]).toMatchObject({ score: "A", judge_feedback: "A" });
    await client.scoringFunctions.unregister("letters");
    await expect(client.scoringFunctions.retrieve("letters")).rejects.toMatchObject({ status: 404 });
  });

  it("runs a benchmark as a job, at once or row by row", async () => {
    await client.alpha.benchmarks.register({
      benchmark_id: "capitals",
      dataset_id: "five",
      scoring_functions: ["basic::equality"],
    });
    expect((await client.alpha.benchmarks.list()).map(({ identifier }) => identifier)).toEqual(["capitals"]);
    expect((await client.alpha.benchmarks.retrieve("capitals")).dataset_id).toBe("five");
    const benchmark_config = {
      eval_candidate: {
        type: "model" as const,
        model: "parrot",
        sampling_params: { strategy: { type: "greedy" as const }, max_tokens: 0 },
      },
    };
    const job = await client.alpha.eval.runEval("capitals", { benchmark_config });
    await expect
      .poll(async () => (await client.alpha.eval.jobs.status("capitals", job.job_id)).status)
      .toBe("completed");
    const result = await client.alpha.eval.jobs.retrieve("capitals", job.job_id);
    expect(result.generations.map(({ generated_answer }) => generated_answer)).toEqual(
      FIVE_ROWS.map(({ generated_answer }) => generated_answer),
    );
    expect(result.scores["basic::equality"]!.aggregated_results.accuracy).toMatchObject(ACCURACY);
    await expect(client.alpha.eval.jobs.cancel("capitals", job.job_id)).rejects.toMatchObject({
      status: 409,
    });
    const rows = await client.alpha.eval.evaluateRows("capitals", {
      benchmark_config: { ...benchmark_config, num_examples: 3 },
      input_rows: FIVE_ROWS,
      scoring_functions: ["basic::equality", "basic::subset_of"],
    });
    expect(rows.generations).toHaveLength(3);
    expect(rows.scores["basic::subset_of"]!.aggregated_results.accuracy).toMatchObject({
      num_correct: 2,
      num_total: 3,
    });
    await client.alpha.benchmarks.unregister("capitals");
    await expect(client.alpha.benchmarks.retrieve("capitals")).rejects.toMatchObject({ status: 404 });
  });

  it("asks models, whole and streamed", async () => {
    expect((await client.models.list()).map(({ id }) => id)).toEqual(["parrot"]);
    expect((await client.models.retrieve("parrot")).model_type).toBe("llm");
    const messages = [{ role: "user" as const, content: FIVE_ROWS[0]!.input_query }];
    const chat = await client.chat.completions.create({ model: "parrot", messages });
    expect(JSON.stringify(chat)).toMatch(/"content":"London"/);
    let streamed = "";
    for await (const chunk of await client.chat.completions.create({
      model: "parrot",
      messages,
      stream: true,
    })) {
      streamed += chunk.choices[0]?.delta.content ?? "";
    }
    expect(streamed).toBe("London");
  });

  it("uploads files and runs batches of them", async () => {
    const lines = FIVE_ROWS.map(({ input_query }, place) =>
      JSON.stringify({
        custom_id: `q${place}`,
        method: "POST",
        url: "/v1/chat/completions",
        body: { model: "parrot", messages: [{ role: "user", content: input_query }] },
      }),
    );
    const file = await client.files.create({
      purpose: "batch",
      file: new File([lines.join("\n")], "requests.jsonl"),
    });
    expect(file).toMatchObject({ object: "file", purpose: "batch", filename: "requests.jsonl" });
    const begun = await client.batches.create({
      input_file_id: file.id,
      endpoint: "/v1/chat/completions",
      completion_window: "24h",
    });
    await expect.poll(async () => (await client.batches.retrieve(begun.id)).status).toBe("completed");
    const batch = await client.batches.retrieve(begun.id);
    expect(batch.request_counts).toEqual({ total: 5, completed: 5, failed: 0 });
    expect(batch.error_file_id).toBeNull();
    const output = await client.files.content(batch.output_file_id!);
    const answers = String(output)
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(answers.map(({ custom_id }) => custom_id)).toEqual(["q0", "q1", "q2", "q3", "q4"]);
    // An object, not the text of one.
    expect(answers[4].response.body.choices[0].message.content).toBe("Yen");
    expect((await client.batches.list()).data.map(({ id }) => id)).toEqual([begun.id]);
    expect((await client.files.list({ purpose: "batch" })).data.map(({ id }) => id)).toEqual([file.id]);
    expect((await client.files.delete(file.id)).deleted).toBe(true);
  });

  it("understands errors", async () => {
    await expect(
      client.scoring.score({ input_rows: FIVE_ROWS, scoring_functions: { "basic::equalty": null } }),
    ).rejects.toMatchObject({ status: 404, error: { error: { code: "NAME_UNKNOWN" } } });
  });
});
