import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { silentLogger } from "../../src/base/index.js";
import { TextDataset } from "../../src/data/index.js";
import {
  type Comparison,
  EncodingEvaluation,
  evaluation,
  evaluations,
  PerplexityComparisonEvaluation,
  RolloutEvaluation,
} from "../../src/evaluations/index.js";
import { runConfiguredEvaluation, TrainingContext } from "../../src/evaluators/index.js";
import { ScriptedLanguageModel } from "../../src/language/index.js";
import { failuresIn, filesOfTask, readSamples, sampleFiles, sampleText } from "../../src/results/index.js";
import { halves, Questions, Texts } from "../evaluations/scripted.js";

class Sums extends Questions {
  override readonly name: string = "sums";
  constructor() {
    super([
      ["1+1=", "yes"],
      ["1+2=", "no"],
    ]);
  }
  override get(index: number) {
    if (index === 2) throw new Error("no such row");
    return super.get(index);
  }
  override get length() {
    return 3;
  }
}
class Pair extends Texts {
  override readonly name = "pair_ppl";
  constructor() {
    super(["a", "bcb"]);
  }
}
class Endings extends PerplexityComparisonEvaluation {
  readonly name = "endings";
  readonly length = 1;
  get(): Comparison {
    // a has one bit, b and c two and a half in the mean, so that b alone, with two, is likelier than both.
    return ["d", ["bc", "b"], 0];
  }
}
class Reading extends EncodingEvaluation {
  readonly name = "reading";
  readonly length = 1;
  get() {
    return "abc";
  }
  override check(y: string, yHat: string) {
    return y === yHat;
  }
}
/** Its answers are no JSON. */
class Dates extends RolloutEvaluation<bigint, Map<string, string>> {
  readonly name = "dates";
  readonly length = 1;
  get() {
    return ["when?", 12n] as const;
  }
  override clean(text: string) {
    return new Map([["year", text]]);
  }
  override check(y: bigint) {
    return y > 10n;
  }
}

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "elenchus-rows-"));
  for (const [name, kind] of Object.entries({ Sums, Pair, Endings, Reading, Dates })) {
    evaluation(name.toLowerCase(), kind);
  }
});
afterEach(async () => {
  for (const name of evaluations.registeredNames()) evaluations.unregister(name);
  await rm(folder, { recursive: true, force: true });
});

const run = (
  table: object,
  { logs = true, ...more }: { logs?: boolean; testset?: unknown; sampler?: unknown } = {},
) =>
  runConfiguredEvaluation({
    context: new TrainingContext({ currentRound: 3 }),
    model: new ScriptedLanguageModel({ contextLength: 64, next: halves, answer: () => " yes" }),
    config: { evaluation: { type: "evaluations", ...table, log_samples: logs } },
    samplesFolder: folder,
    logger: silentLogger,
    ...more,
  });
const logged = async (task: string) => {
  const found = [];
  for (const { path } of filesOfTask(await sampleFiles(folder), task)) {
    for await (const sample of readSamples(path)) found.push(sample);
  }
  return found;
};

test("a rollout's rows are logged with prompt, answer and what was expected; a failed one with its cause", async () => {
  await run({ evaluations: ["sums"] });
  const samples = await logged("sums");
  expect(samples).toEqual([
    {
      evaluator: "evaluations",
      task: "sums",
      doc: 0,
      requests: [{ kind: "generate", prompts: ["1+1="], max_new_tokens: 59 }],
      answers: [{ text: " yes", cleaned: "yes" }],
      gold: "yes",
      scores: { sums: 1 },
    },
    expect.objectContaining({ doc: 1, gold: "no", scores: { sums: 0 } }),
    expect.objectContaining({ doc: 2, answers: [{ error: "no such row" }], scores: { sums: null } }),
  ]);
  expect(failuresIn(samples, "sums").map(({ doc }) => doc)).toEqual([1, 2]);
  expect(sampleText(samples[1]!)).toEqual({ prompt: "1+2=", answer: " yes", gold: "no" });
});

test("several answers of one row are samples of one question", async () => {
  await run({ evaluations: ["dates"], samples_per_prompt: 2, temperature: 1 });
  const samples = await logged("dates");
  expect(samples.map(({ doc, question }) => [doc, question])).toEqual([
    ["0.0", 0],
    ["0.1", 0],
  ]);
  // No word of JSON's: shown as they are written, as far as they are.
  expect(samples[0]).toMatchObject({ gold: "12", answers: [{ text: " yes", cleaned: {} }] });
});

test("texts are logged with how likely they are, and comparisons with what each continuation has", async () => {
  await run({ evaluations: ["pair", "endings", "reading"] });
  const [one, other] = await logged("pair_ppl");
  expect(one).toMatchObject({ scores: { pair_ppl: expect.closeTo(2, 5) } });
  expect(other).toMatchObject({
    requests: [{ kind: "rolling", prompts: ["bcb"] }],
    // 2 + 3 + 2 bits.
    answers: [{ log_likelihood: expect.closeTo(-7 * Math.LN2, 5), tokens: 3, bytes: 3 }],
    scores: { pair_ppl: expect.closeTo(2 ** (7 / 3), 5) },
  });
  expect(sampleText(one!).answer).toBe("log-likelihood -0.693 of 1 tokens");
  const [compared] = await logged("endings");
  expect(compared).toMatchObject({
    answers: [
      { mean_log_likelihood: expect.closeTo(-2.5 * Math.LN2, 5) },
      { mean_log_likelihood: expect.closeTo(-2 * Math.LN2, 5) },
    ],
    gold: 0,
    scores: { endings: 0 },
  });
  expect(sampleText(compared!)).toEqual({ prompt: "d", answer: "b", gold: "bc" });
  expect(await logged("reading")).toMatchObject([
    { requests: [{ kind: "encode", prompts: ["abc"] }], answers: [{ text: "aa" }], gold: "abc" },
  ]);
});

test("without log_samples nothing is written", async () => {
  await run({ evaluations: ["sums"] }, { logs: false });
  expect(await sampleFiles(folder)).toEqual([]);
});

test("rows of the test set are logged by their place there, and found by the evaluator's name", async () => {
  const [a, b, c] = [97, 98, 99];
  const ids = [
    [a, b],
    [c, a, b],
    [a, a],
  ];
  const testset = new TextDataset({
    maxLength: 8,
    vocabularySize: 259,
    rows: ids.map((row) => ({
      ids: Int32Array.from(row),
      mask: Uint8Array.from(row, (_, place) => Number(place > 0)),
      group: 0,
    })),
  });
  const result = await run({ type: "language_model" }, { testset, sampler: Int32Array.of(2, 1) });
  const samples = await logged("language_model");
  expect(samples).toMatchObject([
    {
      task: "test",
      doc: 2,
      requests: [{ prompts: ["a"] }],
      scores: { token_accuracy: 1, perplexity: expect.closeTo(2, 6) },
    },
    {
      doc: 1,
      requests: [{ prompts: ["ca"] }],
      // a has one bit and is the likeliest; b has two.
      answers: [{ log_likelihood: expect.closeTo(-3 * Math.LN2, 5), tokens: 2, correct: 1, bytes: 2 }],
      scores: { token_accuracy: 0.5, bits_per_byte: expect.closeTo(1.5, 5) },
    },
  ]);
  expect(result!.metrics.token_accuracy).toBeCloseTo(2 / 3, 10);
  expect(failuresIn(samples, "token_accuracy").map(({ doc }) => doc)).toEqual([1]);
  expect(await readFile(join(folder, "3-language_model-test.jsonl"), "utf8")).toContain('"doc":2');
});
