import { expect, it } from "vitest";
import { silentLogger } from "../../src/base/index.js";
import { runConfiguredEvaluation, TrainingContext } from "../../src/evaluators/index.js";

it("the example in plain JavaScript keeps the best scalar so far in the state", async () => {
  const module = "../../examples/plain-javascript.mjs";
  await import(module);
  const context = new TrainingContext();
  const config = { evaluation: { type: "progress", fail_on_error: true } };
  const rows: unknown[] = [];
  for (const localMetric of [0.5, 0.7, 0.6, 0.7, 0.8]) {
    context.currentRound += 1;
    const result = await runConfiguredEvaluation({ context, config, localMetric, logger: silentLogger });
    rows.push([result?.metrics.best, result?.metrics.rounds_without_progress]);
  }
  expect(rows).toEqual([
    [0.5, 0],
    [0.7, 0],
    [0.7, 1],
    [0.7, 2],
    [0.8, 0],
  ]);
});
