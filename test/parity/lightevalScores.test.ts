import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { metricKey, runTask } from "../../src/tasks/index.js";
import { expectClose, type TinyLlama, tinyLlama } from "./tinyLlama.js";

interface Case {
  task: string;
  tokenizer: "bytes" | "metaspace";
  shots: number;
  limit: number;
  metrics: Record<string, number>;
  /** Places of documents whose prompts it has cut by the length of others'. */
  cut: number[];
  /** A text, or how likely each choice is, in the order of evaluation. */
  answers: (string | number[])[];
}
/** What goldens/lighteval_scores.py has made with lighteval from PyPI, its own tasks and its transformers back end. */
const golden = JSON.parse(
  readFileSync(new URL("goldens/lighteval_scores.json", import.meta.url), "utf8"),
) as { lighteval: string; bootstrap_draws: number; cases: Case[] };

let tiny: TinyLlama;
beforeAll(async () => {
  tiny = await tinyLlama(join(process.env.PARITY_DATA!, "benchmarks"));
});
afterAll(() => tiny.dispose());

describe(`scores of lighteval ${golden.lighteval} with the same weights`, () => {
  it.each(golden.cases)("$task with $shots shots, tokenizer $tokenizer", async (one) => {
    const { task, rows } = await tiny.load(`lighteval:${one.task}`, one.shots);
    const result = await runTask(task, rows, tiny.models[one.tokenizer], {
      shots: one.shots,
      limit: one.limit,
      bootstrapDraws: golden.bootstrap_draws,
      stderr: "lighteval",
    });

    expect(result.samples).toHaveLength(one.answers.length);
    for (const [place, { answers }] of result.samples.entries()) {
      const expected = one.answers[place]!;
      if (typeof expected === "string") {
        if (!one.cut.includes(place)) {
          expect(answers.generations[0]?.text, `document ${place}`).toBe(expected);
        }
        continue;
      }
      expect(answers.scores).toHaveLength(expected.length);
      for (const [choice, value] of expected.entries()) {
        expect(answers.scores[choice]!.logLikelihood, `document ${place}`).toBeCloseTo(value, 3);
      }
    }
    const expected = new Map(Object.entries(one.metrics));
    for (const metric of task.metrics) {
      const key = metricKey(task, metric);
      expectClose(result.metrics.get(key), expected.get(key), key);
      const error = expected.get(`${key}_stderr`);
      if (error !== undefined) expectClose(result.standardErrors.get(key), error, `${key}_stderr`);
      expected.delete(key);
      expected.delete(`${key}_stderr`);
    }
    expect([...expected.keys()]).toEqual([]);
  });
});
