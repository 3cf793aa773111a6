import { describe, expect, it } from "vitest";
import type { Generation, LogLikelihood } from "../../src/language/index.js";
import {
  choiceAccuracy,
  documentPerplexity,
  exactMatch,
  extractByPattern,
  groupResult,
  letterMatch,
  type Metric,
  numberMatch,
  pooledError,
  resolveTask,
  type TaskDocument,
  type TaskResult,
  textPerplexities,
  trimmedMatch,
} from "../../src/tasks/index.js";

const scored = (logLikelihood: number, greedy = false, tokenCount = 1): LogLikelihood => ({
  logLikelihood,
  tokenLogLikelihoods: [],
  greedy,
  tokenCount,
  truncated: 0,
});
const said = (text: string): Generation => ({ text, tokens: undefined, finish: "stop", truncated: 0 });
const document = (parts: Partial<TaskDocument>): TaskDocument => ({
  doc: 0,
  row: {},
  requests: [],
  gold: 0,
  choices: [],
  fewshot: [],
  ...parts,
});
const answers = (scores: readonly LogLikelihood[], texts: readonly string[] = []) => ({
  scores,
  rolls: [],
  generations: texts.map(said),
});

describe("accuracy of choices", () => {
  const score = (metric: Metric, logs: number[], parts: Partial<TaskDocument>) =>
    metric.score(document(parts), answers(logs.map((log) => scored(log))));

  it("takes the first of equals, and never what is no number", () => {
    expect(score(choiceAccuracy("acc"), [-1, -1, -2], { gold: 0 })).toBe(1);
    expect(score(choiceAccuracy("acc"), [Number.NaN, -1, -2], { gold: 1 })).toBe(1);
    expect(score(choiceAccuracy("acc"), [Number.NaN], { gold: 0 })).toBe(0);
  });

  it("is right with any of several right choices, and wrong with a label that is kept secret", () => {
    expect(score(choiceAccuracy("acc"), [-2, -1], { gold: [1, 2] })).toBe(1);
    expect(score(choiceAccuracy("acc"), [-2, -1], { gold: -1 })).toBe(0);
  });

  it("divides by code points, not by UTF-16 units, of the choice without its blank", () => {
    const choices = ["\u{1F600}\u{1F600}", "abc"];
    // By code points -2/2 and -2.7/3; by units it would be -2/4.
    expect(score(choiceAccuracy("acc_norm", "characters"), [-2, -2.7], { choices, gold: 1 })).toBe(1);
    expect(score(choiceAccuracy("acc_bytes", "bytes"), [-2, -2.7], { choices, gold: 0 })).toBe(1);
  });

  it("divides by tokens", () => {
    const metric = choiceAccuracy("acc", "tokens");
    const two = answers([scored(-2, false, 1), scored(-3, false, 3)]);
    expect(metric.score(document({ gold: 1 }), two)).toBe(1);
  });
});

describe("matches of texts", () => {
  const em = (text: string, parts: Partial<TaskDocument>) =>
    trimmedMatch().score(document(parts), answers([], [text]));

  it("of lighteval trim both and mind case; an empty answer is wrong; -1 is the last choice", () => {
    const parts = { choices: [" A", " B"], gold: 1 };
    expect([em(" B\n", parts), em("b", parts), em("B.", parts), em(" ", parts)]).toEqual([1, 0, 0, 0]);
    expect(em("B", { ...parts, gold: -1 })).toBe(1);
    expect(em("", { choices: [""], gold: 0 })).toBe(0);
  });

  const gsm8k = resolveTask("harness:gsm8k").tasks[0]!.task.metrics;
  const gold = "Eat <<2+2=4>>4.\n#### 1,234";
  it.each([
    ["It is so.\n#### 1234", 1, 1],
    ["#### 1,234.", 1, 1],
    ["#### $1234", 0, 1],
    ["The answer is $1,234.", 0, 1],
    ["#### 1234 and 5", 1, 0],
    // A lone ellipsis is a match of its own, and the last one.
    ["It is 1234...", 0, 0],
    ["It is 1234 ...", 0, 0],
    ["no number", 0, 0],
  ])("of GSM8K: %j is %d strictly and %d flexibly", (text, strict, flexible) => {
    const scores = gsm8k.map((metric) => metric.score(document({ gold }), answers([], [text])));
    expect(scores).toEqual([strict, flexible]);
  });

  it("of MMLU-Pro take the first letter named", () => {
    const metric = exactMatch({
      extract: extractByPattern(/answer is \(?([ABCDEFGHIJ])\)?/, "first"),
      ignoreCase: true,
      ignorePunctuation: true,
    });
    const score = (text: string) => metric.score(document({ gold: "B" }), answers([], [text]));
    expect([score("So the answer is (B), not A."), score("answer is B"), score("B")]).toEqual([1, 1, 0]);
  });

  it("by numbers take the box, then what follows words like answer, then the last", () => {
    const score = (text: string) =>
      numberMatch().score(document({ choices: [" so\n#### 18"], gold: 0 }), answers([], [text]));
    expect(score("The answer is 18. There were 7.")).toBe(1);
    expect(score("First 3, then \\boxed{18}, answer: 4")).toBe(1);
    expect(score("3 and 18")).toBe(1);
    expect(score("18 and 3")).toBe(0);
    expect(score("It costs $18.00")).toBe(1);
    expect(score("nothing")).toBe(0);
  });

  it("by letters take the rightmost of the clearest kind of place", () => {
    const score = (text: string) =>
      letterMatch().score(document({ choices: [..."ABCDEFGHIJ"], gold: 2 }), answers([], [text]));
    expect(score("A is wrong.\nAnswer: C")).toBe(1);
    expect(score("Answer: B\nAnswer: C")).toBe(1);
    expect(score("The final answer is C. Answer: A")).toBe(1);
    expect(score("Answer: Cat")).toBe(1);
    expect(score("Answer: dog")).toBe(0);
    expect(score("")).toBe(0);
  });
});

describe("perplexities", () => {
  it("of documents are means over documents, not tokens", () => {
    const metric = documentPerplexity("ppl");
    const values = [-1, -3].map((log) => metric.score(document({}), answers([scored(log, true, 7)])));
    expect(metric.aggregate(values)).toBeCloseTo(Math.exp(2), 12);
  });

  it("of texts divide sums by words and bytes of the original; empty pieces at the ends are words", () => {
    const [words, bytes, bits] = textPerplexities((row) => String(row.page), "none");
    const one = (metric: Metric, page: string, log: number) =>
      metric.score(document({ row: { page } }), {
        scores: [],
        rolls: [{ logLikelihood: log, tokenLogLikelihoods: [], tokenCount: 1, windows: 1 }],
        generations: [],
      });
    const both = (metric: Metric) => [one(metric, " a b ", -2), one(metric, "\u00e9", -4)];
    expect(words!.aggregate(both(words!))).toBeCloseTo(Math.exp(6 / 5), 12);
    expect(bytes!.aggregate(both(bytes!))).toBeCloseTo(Math.exp(6 / 7), 12);
    expect(bits!.aggregate(both(bits!))).toBeCloseTo(6 / 7 / Math.log(2), 12);
    expect(words!.standardError(both(words!), { bootstrapDraws: 100 })).toBeUndefined();
  });
});

describe("truth of answers", () => {
  // The true choices are 0 and 2: not all before the first false one.
  const row = {
    question: "Q?",
    mc1_targets: { choices: ["t", "f"], labels: [1, 0] },
    mc2_targets: { choices: ["t", "f", "u"], labels: [1, 0, 1] },
  };
  const value = (name: string, logs: number[]) => {
    const { task } = resolveTask(name).tasks[0]!;
    const [asked] = [...task.documents({ evaluated: [row], pool: [row] }, { shots: 0 })];
    return task.metrics.map((metric) => metric.score(asked!, answers(logs.map((log) => scored(log)))));
  };

  it("goes by label today, and by the first false one in lighteval and the first harness", () => {
    const logs = [0.5, 0.25, 0.25].map(Math.log);
    expect(value("harness:truthfulqa_mc2", logs)[0]).toBeCloseTo(0.75, 12);
    expect(value("truthfulqa:mc", [-1, -2, ...logs])).toEqual([1, expect.closeTo(0.5, 12)]);
    expect(value("harness:truthfulqa_mc@v0", [-2, -1, ...logs])).toEqual([0, expect.closeTo(0.5, 12)]);
  });

  it("does not vanish where all probabilities are too small for a double", () => {
    expect(value("harness:truthfulqa_mc2", [-2000, -2000, -2000])[0]).toBeCloseTo(2 / 3, 12);
  });
});

describe("SQuAD 2.0", () => {
  const { metrics } = resolveTask("harness:squadv2").tasks[0]!.task;
  const asked: [gold: string[], answer: string, none: number][] = [
    [["the Eiffel Tower", "Paris"], "Eiffel tower.", 0.2],
    [["red green green"], "green green blue", 0.1],
    [[], "something", 0.9],
    [[], "", 0.3],
  ];
  const results = Object.fromEntries(
    metrics.map((metric) => [
      metric.name,
      metric.aggregate(
        asked.map(([gold, answer, none]) =>
          metric.score(document({ gold }), answers([scored(Math.log(none))], [answer])),
        ),
      ),
    ]),
  );

  it("normalises, counts words as often as both have them, and parts by whether there is an answer", () => {
    expect(results.exact).toBeCloseTo(50, 12);
    expect(results.f1).toBeCloseTo((100 * (1 + 2 / 3 + 0 + 1)) / 4, 12);
    expect(results.HasAns_exact).toBeCloseTo(50, 12);
    expect(results.HasAns_f1).toBeCloseTo((100 * (5 / 3)) / 2, 12);
    expect(results.NoAns_exact).toBeCloseTo(50, 12);
  });

  it("finds the threshold that would have been best", () => {
    // From 2 without an answer; by rising probability of none: +0, +1, 0 (none given), -1.
    expect(results.best_exact).toBeCloseTo(75, 12);
    expect(results.best_f1).toBeCloseTo((100 * (2 + 2 / 3 + 1)) / 4, 12);
  });
});

describe("groups", () => {
  const result = (values: number, samples: number, error?: number) =>
    ({
      metrics: new Map([["acc", values]]),
      standardErrors: new Map(error === undefined ? [] : [["acc", error]]),
      samples: Array.from({ length: samples }, () => ({})),
    }) as unknown as TaskResult;

  it("are weighted by documents with a pooled error, or of all tasks alike", () => {
    const results = [result(0.5, 10, 0.1), result(1, 30, 0.2)];
    const weighted = groupResult({ average: "documents" }, results)!;
    expect(weighted.metrics.get("acc")).toBeCloseTo(0.875, 12);
    const pooled = Math.sqrt((9 * 0.1 ** 2 * 10 + 29 * 0.2 ** 2 * 30) / 38 / 40);
    expect(weighted.standardErrors.get("acc")).toBeCloseTo(pooled, 12);
    const alike = groupResult({ average: "tasks" }, results)!;
    expect(alike.metrics.get("acc")).toBeCloseTo(0.75, 12);
    expect(alike.standardErrors.get("acc")).toBeCloseTo(0.15, 12);
    expect(groupResult({ average: "none" }, results)).toBeUndefined();
  });

  it("have no error where one of their tasks has none", () => {
    expect(pooledError([{ size: 10, error: undefined }])).toBeUndefined();
    expect(groupResult({ average: "tasks" }, [result(1, 2), result(1, 2, 0)])!.standardErrors.size).toBe(0);
  });
});
