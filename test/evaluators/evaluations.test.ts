import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { createLogger, manualClock } from "../../src/base/index.js";
import { evaluation, evaluations } from "../../src/evaluations/index.js";
import {
  evaluateRound,
  registry,
  runConfiguredEvaluation,
  TrainingContext,
} from "../../src/evaluators/index.js";
import { ScriptedLanguageModel } from "../../src/language/index.js";
import { halves, Questions, Texts } from "../evaluations/scripted.js";

class Words extends Questions {
  static override options = z.strictObject({ rows: z.int().positive().default(4) });
  override readonly name: string = "words";
  constructor(options: { rows: number }) {
    super(
      Array.from({ length: options.rows }, (_, row) => [`${row}?`, row % 2 === 0 ? "yes" : "no"] as const),
    );
  }
}
class TwoTexts extends Texts {
  override readonly name = "two_ppl";
  constructor() {
    super(["a", "bcb"]);
  }
}

let context: TrainingContext;
let lines: string[];
const model = () => new ScriptedLanguageModel({ contextLength: 64, next: halves, answer: () => "yes" });

beforeEach(() => {
  evaluation("words", Words);
  evaluation("two_ppl", TwoTexts);
  context = new TrainingContext({ currentRound: 1 });
  lines = [];
});
afterEach(() => {
  for (const name of evaluations.registeredNames()) evaluations.unregister(name);
});

const run = (evaluation: unknown, more: object = {}) =>
  runConfiguredEvaluation({
    context,
    model: model(),
    config: { evaluation },
    logger: createLogger("info", (line) => lines.push(line)),
    ...more,
  });
const status = () => context.state.get("evaluation_status");

describe("the evaluator `evaluations`", () => {
  test("gives each evaluation a metric by its name, with its direction and its totals", async () => {
    const result = await run({ type: "evaluations", evaluations: ["words", "two_ppl"] });
    expect(result).toMatchObject({
      evaluator: "evaluations",
      primaryMetric: "words",
      metrics: { words: 0.5, two_ppl: expect.closeTo(4, 12) },
      higherIsBetter: { words: true, two_ppl: false },
      details: { two_ppl_truncated: 0 },
      sums: {
        words: { numerator: 2, denominator: 4, transform: "identity" },
        two_ppl: { numerator: expect.closeTo(8 * Math.LN2, 12), denominator: 4, transform: "exp" },
      },
      sampled: { used: 6, total: 6 },
    });
    expect(status()).toMatchObject({ evaluations: { status: "ok" } });
  });

  test("tells how many rows of all evaluations are measured", async () => {
    const told: number[][] = [];
    const clock = manualClock();
    const table = { type: "evaluations", evaluations: ["words", "two_ppl"], batch_size: 2 };
    const rounds = evaluateRound({
      context,
      model: model(),
      config: { evaluation: table },
      clock,
      onProgress(name, { done, total }) {
        told.push([done, total]);
        expect(name).toBe("evaluations");
        clock.advance(1000);
      },
    });
    for await (const { outcome } of rounds) expect(outcome.status).toBe("ok");
    expect(told).toEqual([2, 4, 6].map((done) => [done, 6]));
  });

  test("refuses an evaluation named twice and an unknown option of one, and points at the key", () => {
    const faults = (table: object) => {
      const { options } = registry.declarations("evaluations");
      const parsed = options!.safeParse({ type: "evaluations", evaluations: ["words", "two_ppl"], ...table });
      return parsed.success ? [] : parsed.error.issues.map(({ path, message }) => [path.join("."), message]);
    };
    expect(faults({ evaluations: ["words", "words"] })).toEqual([
      ["evaluations", expect.stringContaining('"words" is named twice')],
    ]);
    expect(faults({ words: { rows: 2, row: 3 } })).toContainEqual([
      "words",
      expect.stringContaining('"row" is none: rows'),
    ]);
    expect(faults({ rows: "two" })).toEqual([["rows", "a positive integer, for words.rows"]]);
    expect(faults({ words: { rows: "two" } })).toEqual([["words", "a positive integer, for words.rows"]]);
    expect(faults({ rows: 2, words: {} })).toEqual([]);
  });

  test("has bounds on request, of accuracies and of ratios of totals, and none of a sum", async () => {
    const table = { type: "evaluations", evaluations: ["words", "two_ppl"], confidence: 0.95 };
    const { details, standardErrors } = (await run(table))!;
    // 1, 0, 1, 0: squares 1, over 3 and 4. One and seven bits of one and three tokens, two each: deviations -1 and 1.
    expect(standardErrors.words).toBeCloseTo(Math.sqrt(1 / 12), 12);
    expect(standardErrors.two_ppl).toBeCloseTo((Math.sqrt(2 * 2) / 4) * Math.LN2 * 4, 5);
    expect(details!.words_ci_low).toBeCloseTo(0.5 - 1.959964 * Math.sqrt(1 / 12), 5);
    expect(Object.keys(details!)).toEqual([
      "two_ppl_truncated",
      ...["words", "two_ppl"].flatMap((name) => [`${name}_ci_low`, `${name}_ci_high`]),
    ]);
    const summed = await run({ ...table, reduce: "sum" });
    expect(summed?.standardErrors).toEqual({});
  });

  test("takes options of an evaluation as keys of the table, or in a table of its own", async () => {
    const flat = await run({ type: "evaluations", evaluations: ["words"], rows: 3 });
    expect(flat?.sums.words).toMatchObject({ numerator: 2, denominator: 3 });
    const own = await run({ type: "evaluations", evaluations: ["words"], rows: 3, words: { rows: 5 } });
    expect(own?.sums.words).toMatchObject({ numerator: 3, denominator: 5 });
  });

  test.each([
    [{ evaluations: ["wrods"] }, /"wrods" is none \(did you mean "words"\?\): two_ppl, words/],
    [{ evaluations: ["words"], rows: 0 }, /rows/],
    [{ evaluations: ["words"], words: { row: 1 } }, /row/],
    [{ evaluations: ["words"], rwos: 1 }, /rwos = 1: expected a key of the evaluator "evaluations"/],
    [{ evaluations: ["words"], reduce: "median" }, /reduce/],
    [{ evaluations: [] }, /evaluations/],
    [{}, /nothing to evaluate.*Registered: two_ppl, words/],
    [{ evaluations: ["words", "words"] }, /"words" is named twice/],
    [{ evaluations: ["words"], workers: 2 }, /workers = 2: the trainer cannot start other processes/],
    [{ evaluations: ["words"], block_size: 65 }, /expected 1 to 64/],
  ])("fails with %j", async (table, message) => {
    expect(await run({ type: "evaluations", ...table })).toBeUndefined();
    expect(status()).toMatchObject({
      evaluations: { status: "failed", reason: expect.stringMatching(message) },
    });
  });

  test("is partial where rows are sampled, or failed", async () => {
    await run({ type: "evaluations", evaluations: ["words"], limit: 3 });
    expect(status()).toMatchObject({ evaluations: { status: "partial", reason: "used 3 of 4 examples" } });
    await run({ type: "evaluations", evaluations: ["words"], block_size: 3, rows: 11 });
    // Ten prompts of a begin token and two bytes leave no room in three; the eleventh has three bytes.
    expect(status()).toMatchObject({ evaluations: { status: "failed" } });
    const result = await run({ type: "evaluations", evaluations: ["words"], block_size: 4, rows: 11 });
    expect(result?.metadata.words).toMatchObject({
      rows: 11,
      measured: 10,
      failed: 1,
      failures: [{ row: 10 }],
    });
    expect(status()).toMatchObject({ evaluations: { status: "partial" } });
  });

  test("hands out the values of rows where none are reduced, and no totals of a sum", async () => {
    const none = await run({ type: "evaluations", evaluations: ["words"], reduce: "none" });
    expect(none?.artifacts).toEqual({ values: { words: [1, 0, 1, 0] } });
    expect(none?.metrics.words).toBe(0.5);
    const sum = await run({ type: "evaluations", evaluations: ["words"], reduce: "sum" });
    expect(sum).toMatchObject({ metrics: { words: 2 }, sums: {} });
  });

  test("says so of a model that reads no tokens, and of one without a tokenizer", async () => {
    await run({ type: "evaluations", evaluations: ["words"] }, { model: { forward: () => 1 } });
    expect(status()).toMatchObject({ evaluations: { reason: expect.stringMatching(/reads no tokens/) } });
    const bare = { name: "bare", logLikelihood: () => [], generate: () => [] };
    await run({ type: "evaluations", evaluations: ["words"] }, { model: bare });
    expect(status()).toMatchObject({
      evaluations: { reason: expect.stringMatching(/there is no tokenizer/) },
    });
  });
});

describe("evaluations of a trainer", () => {
  class Own {
    readonly history = [];
    static evaluations: unknown[] = [TwoTexts];
  }

  test("run without any table", async () => {
    const result = await run(undefined, { trainer: new Own() });
    expect(result).toMatchObject({ evaluator: "evaluations", metrics: { two_ppl: expect.closeTo(4, 12) } });
    expect(context.state.get("evaluation_primary")).toMatchObject({ metric: "two_ppl" });
  });

  test("run beside other tables, as one of several", async () => {
    await run({ type: "language_model" }, { trainer: new Own() });
    expect(Object.keys(status() as object)).toEqual(["language_model", "evaluations"]);
    expect(context.state.get("evaluation_results")).toHaveProperty("evaluations");
  });

  test("give way to a table that names others, and take settings from one that names none", async () => {
    const named = await run({ type: "evaluations", evaluations: ["words"] }, { trainer: new Own() });
    expect(Object.keys(named!.metrics)).toEqual(["words"]);
    const set = await run({ type: "evaluations", reduce: "sum" }, { trainer: new Own() });
    expect(set!.metrics.two_ppl).toBeCloseTo(2 + 2 ** (7 / 3), 12);
  });

  test("need no name in the registry, and are checked as they run", async () => {
    evaluations.unregister("two_ppl");
    expect((await run(undefined, { trainer: new Own() }))?.metrics).toHaveProperty("two_ppl");
    class Wrong extends Own {
      static override evaluations = [class Nothing {}];
    }
    await run(undefined, { trainer: new Wrong() });
    expect(status()).toMatchObject({
      evaluations: { reason: expect.stringMatching(/Nothing is no evaluation/) },
    });
  });
});
