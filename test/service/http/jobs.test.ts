import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { readEvents } from "../../../src/api/index.js";
import { ScriptedLanguageModel } from "../../../src/language/index.js";
import { temporaryFolder } from "../../support/temporaryFolder.js";
import { ACCURACY, FIVE_ROWS } from "../support/fiveRows.js";
import { testService } from "../support/testService.js";

const parrot = new ScriptedLanguageModel({
  name: "parrot",
  answer: ({ prompt }) => {
    const question = (prompt as readonly { content: string }[]).at(-1)!.content;
    return FIVE_ROWS.find(({ input_query }) => input_query === question)!.generated_answer;
  },
});
/** Never answers before it is told to stop. */
const slow = new ScriptedLanguageModel({ name: "slow" });
slow.generate = async (_, { signal } = {}) => {
  await sleep(60_000, undefined, { ...(signal && { signal }) }).catch(() => signal?.throwIfAborted());
  return [];
};
const base = temporaryFolder("jobs");
const models = { parrot, slow };
const first = await testService({ base, models });
const { ask } = first;
await ask("POST", "/v1/datasets", {
  dataset_id: "five",
  purpose: "eval/question-answer",
  source: { type: "rows", rows: FIVE_ROWS },
});
const config = (model: string, scorers: object[] = [{ scorer_name: "accuracy" }], row_limit?: number) => ({
  dataset_config: { dataset_identifier: "five", row_limit },
  processor_config: { processor_identifier: "chat" },
  generation_config: { model },
  scoring_config: { scorer_config_list: scorers },
});
const ended = async (job: string) => {
  await expect
    .poll(async () => (await ask("GET", `/api/jobs/${job}`)).json.ended_at, { timeout: 20_000 })
    .not.toBeNull();
  return (await ask("GET", `/api/jobs/${job}`)).json;
};

describe("a task", () => {
  it("is run while the client waits", async () => {
    const { json } = await ask("POST", "/evals/run_eval_task", { eval_task_config: config("parrot") });
    const { metrics } = json.eval_result;
    expect(metrics).toMatchObject({
      "accuracy:avg_accuracy": 0.6,
      "accuracy:num_correct": 3,
      "accuracy:num_total": 5,
    });
    expect(JSON.parse(json.formatted_report)).toEqual(json.eval_result);
  });

  it("takes another limit the next time", async () => {
    const total = async (limit: number) =>
      (await ask("POST", "/evals/run_eval_task", { eval_task_config: config("parrot", undefined, limit) }))
        .json.eval_result.metrics["accuracy:num_total"];
    expect([await total(2), await total(4), await total(9)]).toEqual([2, 4, 5]);
  });

  it("scores prepared rows alone, each scorer under a name of its own", async () => {
    const { json } = await ask("POST", "/evals/run_scorer", {
      dataset_config: { dataset_identifier: "five" },
      eval_scoring_config: { scorer_config_list: [{ scorer_name: "accuracy" }, { scorer_name: "accuracy" }] },
    });
    expect(json.eval_result.metrics).toMatchObject({
      "accuracy:num_correct": 3,
      "accuracy#2:num_correct": 3,
    });
  });

  it("that cannot be is told as a failure", async () => {
    const reply = await ask("POST", "/evals/run_eval_task", {
      eval_task_config: config("parrot", [{ scorer_name: "acuracy" }]),
    });
    expect(reply.status).toBe(404);
    expect(reply.json).toMatchObject({ status: "fail", error: { code: "NAME_UNKNOWN" } });
    const other = await ask("POST", "/evals/run_eval_task", { eval_task_config: {} });
    expect(other.status).toBe(400);
    expect(other.json.error.faults.length).toBeGreaterThan(3);
  });
});

describe("a job", () => {
  const create = async (body: object) => (await ask("POST", "/evals/job/create", body)).json;

  it("is created, followed and shown with its rows", async () => {
    const made = await create({
      model: "parrot",
      dataset: "five",
      task: "chat",
      scorers: ["basic::equality"],
    });
    expect(made).toMatchObject({ status: "success", error: null, job: { kind: "eval" } });
    const { text, headers } = await ask("GET", `/evals/job/logs?job_id=${made.job_id}`);
    expect(headers["content-type"]).toMatch(/text\/event-stream/);
    const events = [];
    for await (const event of readEvents([Buffer.from(text)] as never)) events.push(event);
    expect(events.at(-1)!.event).toBe("end");
    expect(JSON.parse(events.at(-1)!.data)).toMatchObject({
      status: "completed",
      progress: { done: 10, total: 10 },
    });
    // Whoever was cut off goes on behind the last line.
    const rest = await ask("GET", `/evals/job/logs?job_id=${made.job_id}&from=${events.length - 2}`);
    expect(rest.text.match(/event: log/g) ?? []).toHaveLength(1);
    for (const url of [`/evals/job/logs?job_id=${made.job_id}`, `/api/jobs/${made.job_id}/logs`]) {
      const last = { "last-event-id": String(events.length - 2) };
      const again = await ask("GET", url, undefined, { headers: last });
      expect(again.text.match(/event: log/g) ?? []).toHaveLength(1);
    }
    const stages = (await ask("GET", `/api/jobs/${made.job_id}/stages`)).json.data;
    expect(
      Object.fromEntries(stages.map((one: { stage: string; count: number }) => [one.stage, one.count])),
    ).toMatchObject({
      preprocessed: 5,
      generated: 5,
      postprocessed: 5,
    });
    const page = (await ask("GET", `/api/jobs/${made.job_id}/stages/postprocessed?offset=3&limit=1`)).json;
    expect(page).toMatchObject({ data: [{ index: 3, row: { generated_answer: "China" } }], has_more: true });
    expect((await ask("GET", `/evals/job/status?job_id=${made.job_id}`)).json.job.status).toBe("completed");
    expect((await ask("GET", "/evals/jobs?limit=1")).json.data[0].job_id).toBe(made.job_id);
  });

  it("is scored anew without asking the model", async () => {
    const made = await create({ model: "parrot", dataset: "five", task: "chat" });
    await ended(made.job_id);
    const asked = parrot.asked.length;
    const again = await ask("POST", `/api/jobs/${made.job_id}/score`, {
      scoring_functions: { "basic::subset_of": null },
    });
    const { result } = await ended(again.json.job_id);
    expect(result.scorers[0].aggregated.accuracy).toMatchObject(ACCURACY);
    expect(parrot.asked).toHaveLength(asked);
  });

  it("replies at once, and is cancelled within a row", async () => {
    const { job_id } = await create({ eval_task_config: config("slow") });
    await expect.poll(async () => (await ask("GET", `/api/jobs/${job_id}`)).json.status).toBe("in_progress");
    expect((await ask("POST", "/evals/job/cancel", { job_id })).json).toMatchObject({
      status: "success",
      job: { status: "cancelled" },
    });
    const again = await ask("POST", "/evals/job/cancel", { job_id });
    expect(again.status).toBe(409);
    expect(again.json).toMatchObject({ status: "fail", error: { code: "JOB_ENDED" } });
    // What waits behind it is done.
    const { job_id: next } = await create({ model: "parrot", dataset: "five", task: "chat" });
    expect((await ended(next)).status).toBe("completed");
  });

  it("is not begun where it names what is not there", async () => {
    const before = (await ask("GET", "/evals/jobs")).json.data.length;
    const refusals = [
      [{ model: "parrot", dataset: "six", task: "chat" }, 404, "NOT_FOUND"],
      [{ model: "parrot", dataset: "five", task: "chatt" }, 404, "NAME_UNKNOWN"],
      [{ model: "parrot", dataset: "five", task: "/tmp/a.yaml" }, 403, "ADDRESS_REFUSED"],
    ] as const;
    for (const [body, status, code] of refusals) {
      const reply = await ask("POST", "/evals/job/create", body);
      expect([reply.status, reply.json.error.code]).toEqual([status, code]);
    }
    const scoring = { dataset_id: "six", scoring_functions: { accuracy: null } };
    expect((await ask("POST", "/api/jobs/score", scoring)).status).toBe(404);
    expect((await ask("GET", "/evals/jobs")).json.data).toHaveLength(before);
  });

  it("that is not all there is told what is missing, by the form it has", async () => {
    expect(await create({ model: "parrot" })).toMatchObject({
      status: "fail",
      msg: expect.stringMatching(/dataset is missing: expected string; task is missing: expected string\.$/),
    });
    expect(await create({ eval_task_config: {} })).toMatchObject({
      msg: expect.stringMatching(/eval_task_config\.dataset_config is missing.*scoring_config is missing/),
    });
  });

  it("that is unknown is told so", async () => {
    for (const url of ["/evals/job/status?job_id=x", "/evals/job/logs?job_id=x"]) {
      const { status, json } = await ask("GET", url);
      expect(status).toBe(404);
      expect(json).toMatchObject({ status: "fail", error: { code: "JOB_UNKNOWN" } });
    }
    expect((await ask("GET", "/api/jobs/x")).json.error.code).toBe("JOB_UNKNOWN");
  });

  it("is there after a restart, and so is all else", async () => {
    await ask("POST", "/v1/eval/benchmarks", {
      benchmark_id: "kept",
      dataset_id: "five",
      scoring_functions: [],
    });
    const { job_id } = await create({ model: "parrot", dataset: "five", task: "chat" });
    const before = await ended(job_id);
    await first.close();
    const second = await testService({ base, models });
    expect((await second.ask("GET", `/api/jobs/${job_id}`)).json).toEqual(before);
    expect((await second.ask("GET", "/v1/eval/benchmarks/kept")).status).toBe(200);
    expect((await second.ask("GET", "/v1/datasetio/iterrows/five")).json.data).toHaveLength(5);
  });
});
