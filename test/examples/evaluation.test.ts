import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Sums } from "../../examples/evaluation.js";
import { inferenceOf, runEvaluation } from "../../src/evaluations/index.js";
import { ScriptedLanguageModel } from "../../src/language/index.js";

test("the example of an evaluation finds out what a model can add", async () => {
  // Right about sums below ten; of larger ones it forgets the first digit, and one it does not answer.
  const model = new ScriptedLanguageModel({
    answer: ({ prompt }) => {
      const [a, b] = String(prompt).match(/\d+/g)!.map(Number) as [number, number];
      return a === 0 ? " I do not know" : ` ${(a + b) % 10}.`;
    },
  });
  const report = await runEvaluation(new Sums({}), inferenceOf(model));
  const rows = Array.from({ length: 20 }, (_, row) => row + ((7 * row + 3) % 20));
  const right = rows.map((sum, row) => (row > 0 && sum < 10 ? 1 : 0));
  expect(report).toMatchObject({ name: "sums", values: right, failures: [] });
});

test("it takes some twenty lines", async () => {
  const text = await readFile(join(import.meta.dirname, "../../examples/evaluation.ts"), "utf8");
  const body = text.slice(text.indexOf("export class")).split("\n");
  expect(body.filter((line) => line.trim() !== "").length).toBeLessThanOrEqual(20);
});
