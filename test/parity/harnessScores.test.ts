import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  errorKey,
  metricKey,
  runTask,
  type Task,
  type TaskAnswers,
  type TaskRequest,
  type TaskRows,
} from "../../src/tasks/index.js";
import { expectClose, type TinyLlama, tinyLlama } from "./tinyLlama.js";

type Answer = string | number | [logLikelihood: number, greedy: boolean];
interface Case {
  task: string;
  tokenizer: "bytes" | "metaspace";
  shots: number;
  limit: number;
  /** Where it is not what the task says. */
  max_new_tokens?: number;
  metrics: Record<string, number>;
  answers: Answer[][];
}
/** What goldens/harness_scores.py has made with lm_eval from PyPI, its own task files and its transformers back end. */
const golden = JSON.parse(
  readFileSync(fileURLToPath(new URL("goldens/harness_scores.json", import.meta.url)), "utf8"),
) as { lm_eval: string; bootstrap_draws: number; cases: Case[] };

let tiny: TinyLlama;
beforeAll(async () => {
  tiny = await tinyLlama(join(process.env.PARITY_DATA!, "benchmarks"));
});
afterAll(() => tiny.dispose());

describe(`scores of lm_eval ${golden.lm_eval} with the same weights`, () => {
  it.each(golden.cases)("$task with $shots shots, tokenizer $tokenizer", async (one) => {
    const { task: full, rows: found } = await tiny.load(`harness:${one.task}`, one.shots);
    const task = one.max_new_tokens === undefined ? full : shortened(full, one.max_new_tokens);
    const rows = one.task === "squadv2" ? titled(found) : found;
    const result = await runTask(task, rows, tiny.models[one.tokenizer], {
      shots: one.shots,
      limit: one.limit,
      bootstrapDraws: golden.bootstrap_draws,
    });

    expect(result.samples).toHaveLength(one.answers.length);
    for (const [place, { answers }] of result.samples.entries()) {
      expectAnswers(answers, one.answers[place]!, `document ${place}`);
    }
    const expected = new Map(Object.entries(one.metrics));
    for (const metric of task.metrics) {
      const [key, error] = [metricKey(task, metric), errorKey(task, metric)];
      expectClose(result.metrics.get(key), expected.get(key), key);
      if (expected.has(error)) expectClose(result.standardErrors.get(key), expected.get(error), error);
      expected.delete(key);
      expected.delete(error);
    }
    expect([...expected.keys()]).toEqual([]);
  });
});

/** The sample of SQuAD has no titles; the golden's script has put these in. */
function titled({ evaluated, pool }: TaskRows): TaskRows {
  const withTitle = (row: TaskRows["pool"][number]) => ({ ...row, title: "A passage" });
  return { evaluated: evaluated.map(withTitle), pool: pool.map(withTitle) };
}

/** The task with shorter answers. */
function shortened(task: Task, maxNewTokens: number): Task {
  const shorter = (request: TaskRequest) =>
    request.kind === "generate" ? { ...request, maxNewTokens } : request;
  return {
    ...task,
    *documents(rows, options) {
      for (const document of task.documents(rows, options)) {
        yield { ...document, requests: document.requests.map(shorter) };
      }
    },
  };
}

function expectAnswers({ scores, rolls, generations }: TaskAnswers, expected: Answer[], where: string): void {
  const [texts, numbers, pairs] = [
    expected.filter((one) => typeof one === "string"),
    expected.filter((one) => typeof one === "number"),
    expected.filter((one) => typeof one === "object"),
  ];
  expect(
    generations.map(({ text }) => text),
    where,
  ).toEqual(texts);
  expect(rolls, where).toHaveLength(numbers.length);
  for (const [place, value] of numbers.entries()) {
    expect(rolls[place]!.logLikelihood / value, where).toBeCloseTo(1, 5);
  }
  expect(
    scores.map(({ greedy }) => greedy),
    where,
  ).toEqual(pairs.map(([, greedy]) => greedy));
  for (const [place, [value]] of pairs.entries()) {
    expect(scores[place]!.logLikelihood, `${where}, request ${place}`).toBeCloseTo(value, 3);
  }
}
