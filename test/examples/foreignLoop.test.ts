import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readTable } from "../../src/results/index.js";
import { runProgram } from "./programs.js";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "elenchus-loop-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it("a foreign training loop of about thirty lines leaves a run's record, without TensorFlow.js", async () => {
  const hooks = `
    export async function load(url, context, next) {
      if (/tensorflow|socket\\.io/.test(url)) throw new Error("loaded " + url);
      return next(url, context);
    }`;
  const register = `import { register } from "node:module"; register("data:text/javascript,${encodeURIComponent(hooks)}")`;
  const { stdout } = await runProgram("examples/foreign-loop.ts", {
    cwd: folder,
    environment: { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(register)}` },
  });
  const csv = /^wrote (.*\.csv)$/m.exec(stdout)?.[1];
  const { columns, rows } = await readTable(join(folder, csv ?? ""));
  expect(columns).toEqual([
    "round",
    "loss",
    "evaluation_regression_primary_value",
    "evaluation_regression_status",
    "evaluation_mse",
    "evaluation_rmse",
    "evaluation_mae",
    "evaluation_r2",
    "evaluation_slope_primary_value",
    "evaluation_slope_status",
    "evaluation_slope_slope",
  ]);
  expect(rows.map((row) => row.get("round"))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  // `every = 5`, and the last round.
  const slopeRounds = rows.filter((row) => row.get("evaluation_slope_status") === "ok");
  expect(slopeRounds.map((row) => row.get("round"))).toEqual([5, 10, 12]);
  const last = rows.at(-1);
  expect(last?.get("evaluation_slope_slope")).toBeCloseTo(3, 4);
  expect(last?.get("loss")).toBe(last?.get("evaluation_mse"));
  expect(last?.get("evaluation_r2")).toBeCloseTo(1, 6);

  const program = await readFile(new URL("../../examples/foreign-loop.ts", import.meta.url), "utf8");
  expect(program.split("\n").length).toBeLessThan(40);
});
