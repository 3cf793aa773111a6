import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { runTask } from "../../src/tasks/index.js";
import { expectClose, tinyLlama } from "./tinyLlama.js";

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
  it.each(asked.cases.filter(({ task }) => task !== "wikitext"))(
    "$task with $shots shots gets what it computes itself",
    (one) => {
      const other = itself.cases.find(
        ({ task, tokenizer, shots }) =>
          task === one.task && tokenizer === one.tokenizer && shots === one.shots,
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
    },
  );

  it("wikitext gets what its shorter windows come to", async () => {
    // It keeps a place of each window for the token that a server generates.
    const tiny = await tinyLlama(join(process.env.PARITY_DATA!, "benchmarks"));
    const one = asked.cases.find(({ task }) => task === "wikitext")!;
    const { task, rows } = await tiny.load("harness:wikitext", 0);
    const maxLength = tiny.models.bytes.contextLength! - 1;
    const { samples } = await runTask(task, rows, tiny.models.bytes, { shots: 0, limit: 4, maxLength });
    for (const [doc, { answers }] of samples.entries()) {
      expectClose(answers.rolls[0]!.logLikelihood, one.answers[doc]![0] as number, `document ${doc}`);
    }
    expect(samples).toHaveLength(one.answers.length);
    tiny.dispose();
  });
});
