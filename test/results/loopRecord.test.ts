import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { manualClock, silentLogger } from "../../src/base/index.js";
import { TrainingContext } from "../../src/context/index.js";
import { EvaluationResult, registry, runConfiguredEvaluation } from "../../src/evaluators/index.js";
import { createRecord, type LoopRecordOptions } from "../../src/results/index.js";
import { failure, outcome } from "./fixtures.js";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "elenchus-loop-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const options = (changes: LoopRecordOptions = {}): LoopRecordOptions => ({
  folder,
  runId: "loop",
  ...changes,
});
const csv = () => readFile(join(folder, "loop.csv"), "utf8");

describe("a foreign loop", () => {
  it("records what `runConfiguredEvaluation` left in its context", async () => {
    registry.register("half", () => ({
      evaluate: ({ round }: { round: number }) =>
        new EvaluationResult({
          evaluator: "another name",
          primaryMetric: "half",
          metrics: { half: round / 2 },
          higherIsBetter: { half: true },
          artifacts: { note: "n" },
        }),
    }));
    try {
      const config = { evaluation: { type: "half" }, results: { types: "round, loss" } };
      const record = await createRecord(options({ config }));
      for (const round of [1, 2]) {
        const context = new TrainingContext({ currentRound: round });
        await runConfiguredEvaluation({ context, config });
        await record.append({ round, loss: 1 / round, other: 5 }, context);
      }
      await record.finish();
      expect(await csv()).toBe(
        "round,loss,evaluation_primary_value,evaluation_status,evaluation_half\n1,1,0.5,ok,0.5\n2,0.5,1,ok,1\n",
      );
      expect((await readdir(join(folder, "loop", "evaluations"))).sort()).toEqual([
        "1-half.json",
        "2-half.json",
      ]);
      expect(await readFile(join(folder, "loop", "artifacts", "1-half-note"), "utf8")).toBe("n");
      const manifest = JSON.parse(await readFile(join(folder, "loop", "run.json"), "utf8"));
      expect(manifest.columns.evaluation_half).toEqual({
        evaluator: "half",
        metric: "half",
        higher_is_better: true,
        unit: null,
      });
    } finally {
      registry.unregister("half");
    }
  });

  it("records all of an outcome: details, order, direction, code of the error", async () => {
    const types = new Map<string, () => unknown>([
      [
        "whole",
        () => ({
          evaluator: "whole",
          primaryMetric: "z",
          metrics: new Map(Object.entries({ z: 1 })).set("10", 2).set("2", 3),
          details: { recall: 0.5 },
        }),
      ],
      ["invalid", () => 42],
    ]);
    for (const [type, evaluate] of types) registry.register(type, () => ({ evaluate }) as never);
    const config = { evaluation: [{ type: "invalid" }, { type: "whole" }, { type: "gone", every: 2 }] };
    const logger = silentLogger;
    try {
      const record = await createRecord(options({ config, types: "round" }));
      const context = new TrainingContext();
      for (const round of [1, 2]) {
        context.currentRound = round;
        await runConfiguredEvaluation({ context, config, logger });
        await record.append({ round }, context);
      }
      context.state.clear();
      await record.append({ round: 3 }, context);
      await record.finish();
    } finally {
      for (const type of types.keys()) registry.unregister(type);
    }
    const [header, , , third] = (await csv()).split("\n");
    expect(header!.split(",").slice(3)).toEqual([
      "evaluation_whole_primary_value",
      "evaluation_whole_status",
      "evaluation_whole_z",
      "evaluation_whole_10",
      "evaluation_whole_2",
      "evaluation_whole_recall",
      "evaluation_gone_primary_value",
      "evaluation_gone_status",
    ]);
    expect(third).toBe("3,,,,,,,,,,");
    const errorOf = async (file: string) =>
      JSON.parse(await readFile(join(folder, "loop", "evaluations", file), "utf8")).error.code;
    expect(await errorOf("1-invalid.json")).toBe("RESULT_INVALID");
    expect(await errorOf("2-gone.json")).toBe("NAME_UNKNOWN");
  });

  it("says in its manifest what built-in evaluators declare of their metrics", async () => {
    const config = { evaluation: { type: "regression" } };
    const record = await createRecord(options({ config }));
    await record.append({ round: 1 }, [outcome("regression", { mse: 4 })]);
    await record.finish();
    const manifest = JSON.parse(await readFile(join(folder, "loop", "run.json"), "utf8"));
    expect(manifest.columns.evaluation_mse.higher_is_better).toBe(false);
  });

  it("records several evaluators by name, failures with their status and reason", async () => {
    const config = { evaluation: [{ type: "a" }, { type: "a", name: "b" }, { type: "c" }] };
    const payload = outcome("x", { m: 1 }).result;
    const state = new Map<string, unknown>([
      ["evaluation_results", { a: payload, b: payload }],
      [
        "evaluation_status",
        {
          a: { status: "ok", reason: null, duration: 1 },
          b: { status: "partial", reason: "half", duration: 1 },
          c: { status: "timeout", reason: "too slow", duration: 9 },
        },
      ],
    ]);
    const record = await createRecord(options({ config, types: ["round"] }));
    await record.append({ round: 1 }, { state });
    await record.finish("failed");
    expect(await csv()).toBe(
      "round,evaluation_a_primary_value,evaluation_a_status,evaluation_m,evaluation_b_primary_value,evaluation_b_status,evaluation_b_m,evaluation_c_primary_value,evaluation_c_status\n1,1,ok,1,1,partial,1,,timeout\n",
    );
    expect(JSON.parse(await readFile(join(folder, "loop", "evaluations", "1-c.json"), "utf8"))).toMatchObject(
      {
        type: "c",
        error: { code: "EVALUATION_TIMEOUT", message: "too slow" },
        duration_seconds: 9,
      },
    );
  });

  it("may hand over outcomes itself, or nothing but items", async () => {
    const record = await createRecord(options({ types: "round" }));
    await record.append({ round: 1, nothing: undefined });
    await record.append({ round: 2 }, [outcome("e", { m: 1 }, { details: { d: 2 } })]);
    await record.append({ round: 3 }, [failure("e")]);
    await record.append({ round: 4 }, new TrainingContext());
    await record.finish();
    expect(await csv()).toBe(
      "round,evaluation_primary_value,evaluation_status,evaluation_m,evaluation_d\n1,,,,\n2,1,ok,1,2\n3,,failed,,\n4,,,,\n",
    );
  });

  it("gets a name by the time when it has none", async () => {
    const record = await createRecord({ folder, clock: manualClock(0) });
    await record.finish();
    expect(record.runId).toBe("loop-19700101T000000Z");
    expect(record.csv).toBe(join(folder, "loop-19700101T000000Z.csv"));
    await expect(createRecord({ folder, clock: manualClock(0) })).rejects.toMatchObject({
      code: "RUN_EXISTS",
    });
  });

  it("goes on behind its last row, a torn one cut, when told to", async () => {
    const first = await createRecord(options({ types: "round", resume: true }));
    expect(first.lastRound).toBeNull();
    await first.append({ round: 10 });
    await first.append({ round: 20 });
    await first.finish("interrupted");
    await writeFile(join(folder, "loop.csv"), "round\n10\n20\n3");

    const second = await createRecord(options({ types: "round", resume: true }));
    expect(second.lastRound).toBe(20);
    await expect(second.append({ round: 20 })).rejects.toMatchObject({ code: "RECORD_CORRUPT" });
    await second.append({ round: 30 });
    await second.finish();
    expect(await csv()).toBe("round\n10\n20\n30\n");
  });

  it("goes on without knowing its round when no column says so", async () => {
    for (const round of [1, 2]) {
      const record = await createRecord(options({ types: "loss", resume: true }));
      expect(record.lastRound).toBeNull();
      await record.append({ round, loss: round });
      await record.finish();
    }
    expect(await csv()).toBe("loss\n1\n2\n");
  });

  it("is told when its context holds something else under the names of results", async () => {
    const record = await createRecord(options());
    for (const [key, value] of [
      ["evaluation_results", 5],
      ["evaluation_results", { a: { metrics: 1 } }],
      ["evaluation_status", { a: "ok" }],
      ["evaluation_status", { a: { status: "fine", reason: null, duration: 0 } }],
    ] as const) {
      const state = new Map<string, unknown>([[key, value]]);
      await expect(record.append({ round: 1 }, { state })).rejects.toMatchObject({ code: "RESULT_INVALID" });
    }
    await record.finish();
  });
});
