import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, it } from "vitest";
import {
  formulaMatch,
  letterMatch,
  type Metric,
  numberMatch,
  type TaskDocument,
} from "../../src/tasks/index.js";

type Case = [kind: "numbers" | "formulas" | "letters", right: string, answer: string, verdict: number];
/** What goldens/extractive_match.py has made with lighteval from PyPI. */
const golden = JSON.parse(
  readFileSync(new URL("goldens/extractive_match.json", import.meta.url), "utf8"),
) as {
  lighteval: string;
  /** By model, a verdict for each of its solutions. */
  solutions: Record<string, string>;
  cases: Case[];
};
const metrics: Record<Case[0], Metric> = {
  numbers: numberMatch(),
  formulas: formulaMatch(),
  letters: letterMatch(),
};

/** Right text and answer of those that are judged otherwise here; docs/tasks.md says why. */
const OTHERWISE = [
  ["$1 < x < 2$", "Answer: $2 > x > 1$"],
  ["$2 > x > 1$", "$1 < x < 2$"],
  ["$100$", "$99.9999999$"],
  ["$99.9999999$", "$100$"],
  ["$\\emptyset$", "$\\varnothing$"],
  ["$\\varnothing$", "$\\emptyset$"],
];

it(`judges 593 of 599 answers as lighteval ${golden.lighteval} does, the others as known`, () => {
  const differing = golden.cases.filter(([kind, right, answer, verdict]) => {
    return judge(kind, right, answer) !== verdict;
  });

  expect(differing.map(([, right, answer]) => [right, answer])).toEqual(OTHERWISE);
  expect(golden.cases.length - differing.length).toBe(593);
});

it("judges all 800 solutions of four models to GSM8K as lighteval does", () => {
  const file = join(process.env.PARITY_DATA!, "benchmarks/gsm8k/model_solutions_first200.jsonl.gz");
  const rows = gunzipSync(readFileSync(file))
    .toString()
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { ground_truth: string } & Record<string, { solution: string }>);

  let agreements = 0;
  for (const [model, verdicts] of Object.entries(golden.solutions)) {
    const own = rows.map((row) => judge("numbers", ` ${row.ground_truth}`, row[model]!.solution));
    expect(own.join(""), model).toBe(verdicts);
    agreements += own.length;
  }
  expect(agreements).toBe(800);
});

function judge(kind: Case[0], right: string, answer: string) {
  const letters = [..."ABCDEFGHIJ"];
  const [choices, gold] = kind === "letters" ? [letters, letters.indexOf(right)] : [[right], 0];
  const document = { choices, gold } satisfies Partial<TaskDocument>;
  return metrics[kind].score(document as unknown as TaskDocument, {
    scores: [],
    rolls: [],
    generations: [{ text: answer, tokens: undefined, finish: "stop", truncated: 0 }],
  });
}
