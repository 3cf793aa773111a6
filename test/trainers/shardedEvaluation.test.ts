import { describe, expect, test } from "vitest";
import { buildCatalog } from "../../src/cli/catalog.js";
import { type Config, loadConfigObject } from "../../src/config/index.js";
import { ComposableTrainer } from "../../src/trainers/index.js";
import { tinyHost, unstopped } from "./fixtures/tinyHost.js";
import "./fixtures/evaluated.js";
import "../support/cpuTensors.js";
import { temporaryFolder } from "../support/temporaryFolder.js";

const folder = temporaryFolder("sharded");
const MODULE = new URL("./fixtures/evaluated.ts", import.meta.url).href;

const configOf = (evaluation: object | undefined, type = "gpt", server: object = {}): Config =>
  loadConfigObject(
    {
      general: { base_path: folder },
      clients: { total_clients: 2, per_round: 2 },
      server,
      data: {
        datasource: "nanochat",
        sampler: "iid",
        max_seq_length: 96,
        partition_size: 3,
        train_rows: 6,
        test_rows: 2,
      },
      trainer: {
        type,
        backend: "cpu",
        tokenizer_name: "byte",
        language_engine: "tensorflow",
        rounds: 1,
        epochs: 1,
        batch_size: 3,
        optimizer: "AdamW",
        model_name: "gpt2",
      },
      parameters: {
        model: { vocab_size: 280, n_positions: 96, n_embd: 12, n_layer: 1, n_head: 2 },
        optimizer: { lr: 0.01 },
      },
      algorithm: { type: "fedavg" },
      ...(evaluation && { evaluation }),
    },
    buildCatalog(),
  ).config;

/** What the evaluators say of the initial weights. */
async function evaluated(config: Config, where: "process" | "worker" = "process") {
  const { host, log } = await tinyHost(config, where, { imports: [MODULE] });
  try {
    const weights = await host.initialWeights();
    const task = { round: 1, weights, lastRound: true, state: new Map<string, unknown>() };
    return { log, ...(await host.test(task, unstopped)) };
  } finally {
    await host.close();
  }
}

describe("rows shared by processes", () => {
  const table = { type: "evaluations", evaluations: ["beginnings_ppl", "evens"], batch_size: 3 };

  test("give with 1, 2 and 3 of them the same numbers, to the last bit", async () => {
    const results = [];
    for (const workers of [1, 2, 3]) {
      const { evaluations } = await evaluated(configOf({ ...table, workers }));
      expect(evaluations[0]).toMatchObject({ status: "ok", sampled: { used: 26, total: 26 } });
      const { result, sums } = evaluations[0]!;
      results.push({ metrics: result!.metrics, sums });
    }
    expect(results[0]!.metrics.beginnings_ppl).toBeGreaterThan(1);
    expect(results[1]).toEqual(results[0]);
    expect(results[2]).toEqual(results[0]);
  });

  test("need a trainer that has others at hand", async () => {
    const trainer = new ComposableTrainer({ config: configOf(table) });
    const work = { name: "evaluations", of: 2, signal: unstopped };
    await expect(trainer.inOtherProcesses(work)).rejects.toMatchObject({ code: "CAPABILITY_MISSING" });
  });

  test("fail together with one that dies, whose last words are told", async () => {
    const deadly = { type: "evaluations", evaluations: ["deadly"], batch_size: 1, workers: 2 };
    const { evaluations } = await evaluated(configOf(deadly));
    expect(evaluations[0]).toMatchObject({ status: "failed", error: { code: "WORKER_DIED" } });
    expect(evaluations[0]!.reason).toMatch(/part 1 of 2 of "evaluations" in round 1 ended with exit code 3/);
  });
});

describe("evaluations of a trainer's class", () => {
  test("are a table of the configuration, and run in the worker of a run", async () => {
    const config = configOf(undefined, "evaluated");
    expect(config.evaluation).toMatchObject({ type: "evaluations", name: "evaluations", every: 1 });
    const { evaluations } = await evaluated(config, "worker");
    expect(evaluations).toHaveLength(1);
    expect(Object.keys(evaluations[0]!.result!.metrics)).toEqual(["beginnings_ppl", "evens"]);
  });

  test("stand behind other tables, and give way to one of their type", () => {
    const beside = configOf({ type: "language_model" }, "evaluated").evaluation;
    expect(beside).toMatchObject([{ type: "language_model" }, { type: "evaluations" }]);
    const named = configOf({ type: "evaluations", evaluations: ["evens"] }, "evaluated").evaluation;
    expect(named).toMatchObject({ type: "evaluations", evaluations: ["evens"] });
  });

  test("are none of a trainer that declares none, and none where the server does not test", () => {
    expect(configOf(undefined).evaluation).toBeUndefined();
    expect(configOf(undefined, "evaluated", { do_test: false }).evaluation).toBeUndefined();
  });

  test("that are named wrongly are found before round 1", () => {
    expect(() => configOf({ type: "evaluations", evaluations: ["evnes"] })).toThrow(/did you mean "evens"/);
    expect(() => configOf({ type: "evaluations", evaluations: ["evens"], wrokers: 2 })).toThrow(/wrokers/);
  });
});
