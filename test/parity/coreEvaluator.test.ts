import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { silentLogger } from "../../src/base/index.js";
import { TrainingContext } from "../../src/context/index.js";
import { evaluateRound } from "../../src/evaluators/index.js";
import { ScriptedLanguageModel } from "../../src/language/index.js";

const core = join(process.env.PARITY_DATA!, "core");

interface TaskFacts {
  label: string;
  icl_task_type: string;
  complete: boolean;
  rows: number;
  gold_histogram?: Record<string, number>;
}

it("CORE of a model that likes all choices alike is the share of the first, in all rows of the 17 tasks", async () => {
  const { tasks } = JSON.parse(readFileSync(join(core, "tasks.json"), "utf8")) as { tasks: TaskFacts[] };
  const model = new ScriptedLanguageModel({ contextLength: 100_000, score: () => -1 });
  const config = { evaluation: { type: "nanochat_core", data_dir: core, allow_partial: true } };
  const context = new TrainingContext({ currentRound: 1 });
  for await (const { outcome } of evaluateRound({ config, context, model, logger: silentLogger })) {
    expect(outcome.reason).toBe(
      "no rows for hellaswag_zeroshot, hellaswag, squad, coqa, bigbench_language_identification",
    );
    const { results } = outcome.result!.metadata as { results: Record<string, number> };
    expect(Object.keys(results)).toHaveLength(17);
    for (const [label, accuracy] of Object.entries(results)) {
      const { icl_task_type, rows, gold_histogram } = tasks.find((task) => task.label === label)!;
      const first = icl_task_type === "language_modeling" ? 0 : gold_histogram![0]! / rows;
      expect(accuracy, label).toBeCloseTo(first, 12);
    }
    const all = tasks.filter(({ label }) => Object.hasOwn(results, label));
    expect(outcome.sampled!.used).toBe(all.reduce((sum, { rows }) => sum + rows, 0));
  }
}, 300_000);
