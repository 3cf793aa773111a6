import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { expectClose } from "./tinyLlama.js";

type Answer = string | number | [logLikelihood: number, greedy: boolean];
interface Case {
  task: string;
  tokenizer: string;
  shots: number;
  metrics: Record<string, number>;
  answers: Answer[][];
}
const read = (name: string) =>
  JSON.parse(readFileSync(fileURLToPath(new URL(`goldens/${name}.json`, import.meta.url)), "utf8")) as {
    lm_eval: string;
    cases: Case[];
  };
/** What lm_eval computes itself, which `harnessScores.test.ts` holds this project's own tasks to. */
const itself = read("harness_scores");
/** What it got from `elenchus serve` for the same weights, rows and shots. */
const asked = read("harness_service");

describe(`lm_eval ${asked.lm_eval} through /v1/completions`, () => {
  it.each(asked.cases)("$task with $shots shots gets what it computes itself", (one) => {
    const other = itself.cases.find(
      ({ task, tokenizer, shots }) => task === one.task && tokenizer === one.tokenizer && shots === one.shots,
    )!;
    expect(one.answers).toHaveLength(other.answers.length);
    for (const [doc, answers] of one.answers.entries()) {
      for (const [place, answer] of answers.entries()) {
        const expected = other.answers[doc]![place]!;
        if (typeof answer === "string") expect(answer).toBe(expected);
        else {
          const [value, greedy] = [answer].flat();
          expectClose(value as number, [expected].flat()[0] as number, `document ${doc}, answer ${place}`);
          expect(greedy).toBe([expected].flat()[1]);
        }
      }
    }
    for (const [metric, value] of Object.entries(one.metrics))
      expectClose(value, other.metrics[metric], metric);
  });
});
