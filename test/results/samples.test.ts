import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { EvaluationResult, type EvaluationResultInit, evaluateRound } from "../../src/evaluators/index.js";
import { type RoundRecord, RunRecord, withoutSamples } from "../../src/results/index.js";
import { temporaryFolder } from "../support/temporaryFolder.js";

const folder = temporaryFolder("samples");
const result = (extra: Partial<EvaluationResultInit>) =>
  new EvaluationResult({ evaluator: "e", primaryMetric: "m", metrics: { m: 1 }, ...extra });

/** A round in which an evaluator gave this result. */
async function recordOf(round: number, extra: Partial<EvaluationResultInit>): Promise<RoundRecord> {
  const evaluator = { config: { type: "e" }, evaluate: () => result(extra) };
  const config = { evaluation: { type: "e", name: "a/b" } };
  for await (const { outcome } of evaluateRound({ config, evaluatorOverride: evaluator })) {
    return { round, items: { round }, evaluations: [outcome], clients: [] };
  }
  throw new Error("nothing was due");
}

describe("samples", () => {
  it("are lines of a file per round, evaluator and task", async () => {
    const record = await RunRecord.create({ resultPath: folder, runId: "lines" });
    await record.append(await recordOf(1, { samples: { "arc:easy": [{ doc: 0 }, { doc: 3 }], none: [] } }));
    await record.append(await recordOf(2, {}));
    await record.finish("completed");
    const { samples } = record.paths;
    expect(samples).toBe(join(folder, "lines", "samples"));
    expect(readdirSync(samples).sort()).toEqual(["1-a_b-arc_easy.jsonl", "1-a_b-none.jsonl"]);
    expect(readFileSync(join(samples, "1-a_b-arc_easy.jsonl"), "utf8")).toBe('{"doc":0}\n{"doc":3}\n');
  });

  it("are written ahead of a checkpoint, which then need not carry them", async () => {
    const record = await RunRecord.create({ resultPath: folder, runId: "ahead" });
    const round = await recordOf(1, { samples: { t: [{ doc: 0 }] } });
    await record.writeSamples(round);
    const carried = JSON.parse(JSON.stringify(withoutSamples(round)));
    expect(carried.evaluations[0]).not.toHaveProperty("samples");
    expect(carried.evaluations[0].result.metrics).toEqual({ m: 1 });
    await record.finish("interrupted");
    const again = await RunRecord.resume({ resultPath: folder, runId: "ahead" }, carried);
    await again.finish("completed");
    expect(again.rows).toBe(1);
    expect(existsSync(join(again.paths.samples, "1-a_b-t.jsonl"))).toBe(true);
  });

  it("are no part of the payload, and must be lists of what JSON can carry", () => {
    const whole = result({ samples: { t: [{ doc: 0 }] }, partial: "rows dropped" });
    expect(whole.samples).toEqual({ t: [{ doc: 0 }] });
    expect(Object.keys(whole.toPayload())).toHaveLength(7);
    expect(() => result({ samples: { t: { doc: 0 } as never } })).toThrow(/samples\["t"\] is a plain object/);
    expect(() => result({ samples: { t: [Number.NaN] } })).toThrow(/samples.*NaN/);
    expect(() => result({ partial: "" })).toThrow(/partial is the string ""/);
  });

  it("that stand for less than the whole are partial, with every reason", async () => {
    const sampled = { used: 1, total: 2 };
    const [outcome] = (await recordOf(1, { sampled, partial: "rows dropped" })).evaluations;
    expect(outcome).toMatchObject({ status: "partial", reason: "used 1 of 2 examples; rows dropped" });
    const [other] = (await recordOf(1, { partial: "rows dropped" })).evaluations;
    expect(other).toMatchObject({ status: "partial", reason: "rows dropped" });
  });
});
