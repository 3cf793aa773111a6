import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { silentLogger, systemClock } from "../../src/base/index.js";
import { collectRun } from "../../src/cli/collectRun.js";
import { TrainingContext } from "../../src/context/index.js";
import { evaluateRound } from "../../src/evaluators/index.js";
import { readPendingJobs } from "../../src/evaluators/service/pendingJobs.js";
import { ScriptedLanguageModel } from "../../src/language/index.js";
import { findRun, runDocument } from "../../src/results/index.js";
import { newManifest, writeManifest } from "../../src/results/manifest.js";
import { readCheckpointWeights } from "../../src/weights/index.js";
import { FIVE_ROWS } from "../service/support/fiveRows.js";
import { testService } from "../service/support/testService.js";
import { temporaryFolder } from "../support/temporaryFolder.js";

const base = temporaryFolder("service-evaluator");
const results = join(base, "results");

/** Stands for every checkpoint that is asked for; holds its answers back until it is let go. */
let release: (() => void) | undefined;
let held: Promise<void> | undefined;
class Held extends ScriptedLanguageModel {
  override async generate(...args: Parameters<ScriptedLanguageModel["generate"]>) {
    await held;
    args[1]?.signal?.throwIfAborted();
    return await super.generate(...args);
  }
}
const model = new Held({
  answer: ({ prompt }) => {
    const question = (prompt as readonly { content: string }[]).at(-1)!.content;
    return FIVE_ROWS.find(({ input_query }) => input_query === question)?.generated_answer ?? "?";
  },
});
const hold = () => {
  held = new Promise((resolve) => {
    release = resolve;
  });
};

const models = Object.fromEntries(
  ["waits", "leaves", "fails", "stops"].map((run) => [`run:${run}@1`, model]),
);
const service = await testService({ base, models });
let server = "";
beforeAll(async () => {
  server = await service.app.listen({ host: "127.0.0.1", port: 0 });
  const rows = FIVE_ROWS.map(({ generated_answer: _, ...row }) => row);
  await service.ask("POST", "/v1/datasets", {
    dataset_id: "five",
    purpose: "eval/messages-answer",
    source: { type: "rows", rows },
  });
  await service.ask("POST", "/v1/eval/benchmarks", {
    benchmark_id: "facts",
    dataset_id: "five",
    scoring_functions: ["basic::equality"],
  });
});
afterAll(() => release?.());

const TABLE = { type: "service", dataset: "five", processor: "chat", scorers: ["equality"], poll: 0.05 };

/** A run as it stands on the disk after its first round, and the evaluation of that round. */
async function evaluate(runId: string, table: Record<string, unknown>, signal?: AbortSignal) {
  const folder = join(results, runId);
  mkdirSync(folder, { recursive: true });
  const evaluation = { ...TABLE, server, ...table };
  const column = (metric: string) => ({ evaluator: "service", metric, higher_is_better: null, unit: null });
  await writeManifest(join(folder, "run.json"), {
    ...newManifest({ runId, name: "test", start: 0, config: { evaluation } }),
    status: "completed",
    first_round: 1,
    columns: { evaluation_primary_value: column("primary_value"), evaluation_status: column("status") },
  });
  writeFileSync(
    join(results, `${runId}.csv`),
    "round,accuracy,evaluation_primary_value,evaluation_status\n1,0.5,,pending\n",
  );
  const context = new TrainingContext({ currentRound: 1, device: "cpu" });
  const weights = new Map([["w", { dtype: "float32" as const, shape: [2], data: new Float32Array([1, 2]) }]]);
  const request = {
    config: { evaluation },
    context,
    model: { name: "gpt", weights: () => weights },
    logger: silentLogger,
    answersFolder: join(folder, "answers"),
    ...(signal && { signal }),
  };
  for await (const { outcome } of evaluateRound(request)) return { outcome, folder };
  throw new Error("nothing was due");
}

const collect = async (runId: string, wait = false) =>
  await collectRun(await findRun(runId, results), {
    logger: silentLogger,
    clock: systemClock,
    signal: new AbortController().signal,
    wait,
  });
const rowOf = async (runId: string) => (await runDocument(await findRun(runId, results))).rows[0];

describe("the evaluator service", () => {
  it("waits for its job, and leaves nothing of it behind", async () => {
    held = undefined;
    const { outcome, folder } = await evaluate("waits", {});
    expect(outcome).toMatchObject({
      status: "ok",
      result: { evaluator: "service", metrics: { equality_accuracy: 0.6 } },
    });
    expect(readdirSync(join(folder, "pending"))).toEqual([]);
    const benchmark = await evaluate("waits", {
      dataset: undefined,
      processor: undefined,
      benchmark: "facts",
      limit: 2,
    });
    expect(benchmark.outcome.status).toBe("partial");
    expect(benchmark.outcome.result!.metrics).toEqual({ basic_equality_accuracy: 0.5 });
  });

  it("hands the round's weights over and goes on; the row is filled when the job is done", async () => {
    hold();
    const { outcome, folder } = await evaluate("leaves", { wait: false });
    expect(outcome).toMatchObject({ status: "pending", result: null });
    expect(outcome.reason).toMatch(/job .* at http/);
    const copy = await readCheckpointWeights(join(folder, "pending", "checkpoint_1.safetensors"));
    expect([...copy.weights.get("w")!.data]).toEqual([1, 2]);

    expect(await collect("leaves")).toMatchObject({ rounds: [], waiting: [{ round: 1, name: "service" }] });
    expect(await rowOf("leaves")).toMatchObject({
      evaluation_status: "pending",
      evaluation_primary_value: null,
    });
    release!();
    expect(await collect("leaves", true)).toMatchObject({ rounds: [1], waiting: [] });
    expect(await rowOf("leaves")).toMatchObject({
      round: 1,
      accuracy: 0.5,
      evaluation_status: "ok",
      evaluation_primary_value: 0.6,
      evaluation_equality_accuracy: 0.6,
      evaluation_equality_num_correct: 3,
    });
    expect(readdirSync(join(folder, "pending"))).toEqual([]);
    const file = readFileSync(join(folder, "evaluations", "1-service.json"), "utf8");
    expect(JSON.parse(file)).toMatchObject({ status: "ok", result: { primary_value: 0.6 } });
    expect(await collect("leaves")).toEqual({ rounds: [], waiting: [], failure: undefined });
  });

  it("fails where its job fails, later too, and the row says so", async () => {
    hold();
    const { outcome } = await evaluate("fails", { wait: false, fail_on_error: true });
    expect(outcome.status).toBe("pending");
    const run = await findRun("fails", results);
    const [job] = await readPendingJobs(run.paths.folder);
    await service.ask("POST", `/api/jobs/${job!.job_id}/cancel`);
    release!();
    const { rounds, failure } = await collect("fails", true);
    expect(rounds).toEqual([1]);
    expect(failure).toMatchObject({ code: "EVALUATION_FAILED" });
    expect(await rowOf("fails")).toMatchObject({
      evaluation_status: "failed",
      evaluation_primary_value: null,
    });
  });

  it("cancels its job when it runs out of time", async () => {
    hold();
    const { outcome, folder } = await evaluate("stops", { timeout: 0.3 });
    expect(outcome.status).toBe("timeout");
    await expect
      .poll(async () => {
        const { json } = await service.ask("GET", "/api/jobs?limit=1");
        return json.data[0].status;
      })
      .toBe("cancelled");
    release!();
    await expect.poll(() => existsSync(join(folder, "pending", "1-service.json"))).toBe(false);
  });

  it("is refused by a service that knows neither data set nor benchmark, or is not there", async () => {
    held = undefined;
    const unknown = await evaluate("waits", { dataset: "nothing" });
    expect(unknown.outcome).toMatchObject({ status: "failed" });
    expect(unknown.outcome.reason).toMatch(/nothing/);
    const gone = await evaluate("waits", { server: "http://127.0.0.1:9" });
    expect(gone.outcome.error).toMatchObject({ code: "SERVICE_UNREACHABLE" });
    // No job will ever ask for these models.
    for (const { folder } of [unknown, gone]) expect(readdirSync(join(folder, "pending"))).toEqual([]);
  });
});
