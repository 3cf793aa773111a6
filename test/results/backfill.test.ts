import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createLogger, manualClock } from "../../src/base/index.js";
import type { EvaluationOutcome } from "../../src/evaluators/index.js";
import { Backfill, findRun, RunRecord } from "../../src/results/index.js";
import { failure, outcome, round } from "./fixtures.js";

let folder: string;
const warned: string[] = [];
const logger = createLogger("warn", (line) => warned.push(line));
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "elenchus-backfill-"));
  warned.splice(0);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A run of as many rounds as there are lists of outcomes. */
async function recorded(
  evaluation: object | undefined,
  rounds: readonly EvaluationOutcome[][],
  types = "round",
) {
  const evaluators = [evaluation ?? []].flat().map((table) => (table as { type: string }).type);
  const record = await RunRecord.create({
    resultPath: folder,
    runId: "q",
    evaluators,
    types,
    config: { evaluation },
  });
  for (const [place, evaluations] of rounds.entries()) await record.append(round(place + 1, { evaluations }));
  await record.finish("completed");
}
async function backfill(evaluation: unknown) {
  const clock = manualClock();
  return new Backfill(await findRun("q", folder), { evaluation, clock, logger });
}
const lines = () => readFileSync(join(folder, "q.csv"), "utf8").trimEnd().split("\n");
const manifest = () => JSON.parse(readFileSync(join(folder, "q", "run.json"), "utf8"));

describe("rows that are grown afterwards", () => {
  it("give up what the evaluator measured in them before, and nothing of others", async () => {
    await recorded({ type: "a" }, [[outcome("a", { x: 1, y: 2 })], [outcome("a", { x: 3, y: 4 })]]);
    const grown = await backfill({ type: "a" });
    await grown.put(2, [outcome("a", { x: 0.1, z: 5 })]);
    expect(lines()).toEqual([
      "round,evaluation_primary_value,evaluation_status,evaluation_x,evaluation_y,evaluation_z",
      "1,1,ok,1,2,",
      "2,0.1,ok,0.1,,5",
    ]);
    expect(manifest().columns.evaluation_z).toMatchObject({ evaluator: "a", metric: "z" });
  });

  it("keep what was measured where the evaluator fails now, and take a failure where nothing was", async () => {
    await recorded({ type: "a" }, [[outcome("a", { x: 1 })], []]);
    const grown = await backfill({ type: "a" });
    expect(await grown.put(1, [failure("a")])).toEqual([]);
    expect(await grown.put(2, [failure("a")])).toHaveLength(1);
    expect(lines().slice(1)).toEqual(["1,1,ok,1", "2,,failed,"]);
    expect(warned).toEqual([expect.stringContaining("the row keeps what it measured before")]);
    expect((await grown.rows()).map(({ statuses }) => [...statuses])).toEqual([
      [["a", "ok"]],
      [["a", "failed"]],
    ]);
  });

  it("name columns as the run did: of one evaluator bare, also when others have come", async () => {
    await recorded(undefined, [[]]);
    await (await backfill({ type: "a" })).put(1, [outcome("a", { x: 1 })]);
    await (await backfill([{ type: "b" }, { type: "a" }])).put(1, [
      outcome("b", { x: 2 }),
      outcome("a", { x: 3 }),
    ]);
    expect(lines()).toEqual([
      "round,evaluation_primary_value,evaluation_status,evaluation_x,evaluation_b_primary_value,evaluation_b_status,evaluation_b_x",
      "1,3,ok,3,2,ok,2",
    ]);
    expect(manifest().backfills).toMatchObject([
      { rounds: [1], evaluation: { type: "a" } },
      { rounds: [1], evaluation: [{ type: "b" }, { type: "a" }] },
    ]);
  });

  it("keep columns to their owners, and say so", async () => {
    await recorded({ type: "a" }, [[outcome("a", { b_x: 1 })]]);
    await (await backfill({ type: "b" })).put(1, [outcome("b", { x: 2 })]);
    expect(lines()[1]).toBe("1,1,ok,1,2,ok");
    expect(warned).toEqual([expect.stringContaining('The column "evaluation_b_x" is the evaluator "a"\'s')]);
  });

  it("are counted where no column says their round, and keep their text to the byte", async () => {
    await recorded({ type: "a" }, [[], []], "accuracy");
    writeFileSync(join(folder, "q.csv"), 'accuracy\n0.10\n"a ""quoted"", text"\n');
    await (await backfill({ type: "a" })).put(2, [outcome("a", { x: 1 })]);
    expect(lines().slice(1)).toEqual(["0.10,,,", '"a ""quoted"", text",1,ok,1']);
  });

  it("are not those of a run that goes on, or has no run.json", async () => {
    await RunRecord.create({ resultPath: folder, runId: "q" });
    await expect(backfill({ type: "a" })).rejects.toMatchObject({ code: "RUN_BUSY" });
    rmSync(join(folder, "q", "run.json"));
    await expect(backfill({ type: "a" })).rejects.toMatchObject({ code: "RECORD_CORRUPT" });
  });
});
