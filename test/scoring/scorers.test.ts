import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { AccuracyAggregation, defineScorer, RunningMean, scorers } from "../../src/scoring/index.js";
import { mapInOrder } from "../../src/scoring/mapInOrder.js";
import { gathered, scorerSuite } from "./suites/scorerSuite.js";

const answer = (generated_answer: unknown, expected_answer: unknown) => ({
  generated_answer,
  expected_answer,
});
const ifeval = (instruction_id_list: unknown, kwargs: unknown, generated_answer: unknown) => ({
  prompt: "p",
  instruction_id_list,
  kwargs,
  generated_answer,
});

scorerSuite("equality", () => ({
  scorer: scorers.lookup("equality"),
  good: [answer("4", "4"), answer("4 ", "4"), answer("b", ["a", "b"]), answer("", "")],
  bad: [answer(null, "4"), answer("4", 4), answer("4", [])],
}));

scorerSuite("ifeval", () => ({
  scorer: scorers.lookup("ifeval"),
  params: { seed: 3 },
  good: [
    ifeval(["punctuation:no_comma"], [{}], "a"),
    ifeval(["punctuation:no_comma", "startend:quotation"], [null, {}], '"a,b"'),
    ifeval('["detectable_format:number_bullet_lists"]', '[{"num_bullets": 1}]', "- a\n- b"),
  ],
  bad: [
    ifeval(["punctuation:no_comma"], [{}], null),
    ifeval("punctuation:no_comma", "[{}]", "a"),
    ifeval(["keywords:existence"], [{}], "a"),
  ],
}));

scorerSuite("a scorer that waits, several rows at once", () => ({
  scorer: defineScorer({
    name: "waiting",
    description: "",
    columns: ["wait"],
    params: z.strictObject({ at_once: z.int().default(4) }),
    concurrency: ({ at_once }) => at_once,
    async judge({ wait, score }) {
      if (typeof wait !== "number") throw new Error("expected a number");
      await new Promise((resolve) => setTimeout(resolve, wait));
      return { score: Number(score) };
    },
    aggregation: () => new AccuracyAggregation(),
  }),
  good: [
    { wait: 8, score: 1 },
    { wait: 0, score: 0 },
    { wait: 2, score: 1 },
    { wait: 1, score: 0 },
  ],
  bad: [{ wait: "x" }, {}],
}));

describe("the ifeval scorer", () => {
  it("scores the share of instructions followed strictly, weighs by their number, and adds the verdicts", async () => {
    const scoring = scorers
      .lookup("ifeval")
      .score([
        ifeval(["punctuation:no_comma", "startend:quotation"], [{}, {}], '"a,\n"b"'),
        ifeval(
          ["keywords:letter_frequency"],
          [{ letter: "!", let_frequency: 1, let_relation: "at least" }],
          "y",
        ),
      ]);
    expect(await gathered(scoring.rows)).toMatchObject([
      { index: 0, score: 0.5, weight: 2, strict: [false, true], loose: [true, true], unstable: [] },
      { index: 1, score: 1, weight: 1, strict: [true], loose: [true], unstable: [0] },
    ]);
    expect(scoring.metrics()).toEqual({
      prompt_level_strict_acc: 0.5,
      prompt_level_strict_acc_stderr: 0.5,
      inst_level_strict_acc: 2 / 3,
      inst_level_strict_acc_stderr: expect.closeTo(1 / 3, 15),
      prompt_level_loose_acc: 1,
      prompt_level_loose_acc_stderr: 0,
      inst_level_loose_acc: 1,
      inst_level_loose_acc_stderr: 0,
    });
    expect(scoring.details()).toMatchObject({
      "punctuation:no_comma": { count: 1, strict_acc: 0, loose_acc: 1 },
      "startend:quotation": { count: 1, strict_acc: 1, loose_acc: 1 },
    });
  });

  it("names the columns that do not fit", async () => {
    const rows = [{}, ifeval(["a"], "none", 3), ifeval([1], [[]], "a")];
    const errors = (await gathered(scorers.lookup("ifeval").score(rows).rows)).map(({ error }) => error);
    expect(errors[0]).toMatch(
      /instruction_id_list is missing.*kwargs is missing.*generated_answer is missing/,
    );
    expect(errors[1]).toMatch(/^kwargs: expected a list.*generated_answer: expected a text/);
    expect(errors[2]).toMatch(/instruction_id_list\.0: expected a text.*kwargs\.0: expected an object/);
  });
});

it("equality counts what it judged", async () => {
  const scoring = scorers
    .lookup("equality")
    .score([answer("a", "a"), answer("a", "b"), answer(1, "b"), answer("c", "c")]);
  await gathered(scoring.rows);
  expect(scoring.metrics()).toEqual({
    accuracy: 2 / 3,
    num_correct: 2,
    num_total: 3,
    accuracy_stderr: expect.closeTo(1 / 3, 15),
  });
});

describe("working on several values at once", () => {
  it("never has more under way than asked for, and keeps the order", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(3), { maxLength: 30 }),
        fc.integer({ min: 1, max: 5 }),
        async (waits, limit) => {
          let running = 0;
          let most = 0;
          const work = async (wait: number, index: number) => {
            most = Math.max(most, ++running);
            for (let turn = 0; turn < wait; turn++) await Promise.resolve();
            running--;
            return [wait, index];
          };
          const found = await gathered(mapInOrder(waits, limit, work));
          expect(found).toEqual(waits.map((wait, index) => [wait, index]));
          expect(most).toBeLessThanOrEqual(limit);
        },
      ),
    );
  });

  it("is not held up by one slow value", async () => {
    const finished: number[] = [];
    let release = () => {};
    const slow = new Promise<void>((resolve) => {
      release = resolve;
    });
    const work = async (value: number) => {
      if (value === 0) await slow;
      finished.push(value);
      if (value === 5) release();
      return value;
    };
    expect(await gathered(mapInOrder([0, 1, 2, 3, 4, 5, 6], 2, work))).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(finished.indexOf(0)).toBeGreaterThanOrEqual(5);
  });

  it("gives what came before its source failed", async () => {
    const seen: number[] = [];
    function* source() {
      yield* [0, 1, 2];
      throw new Error("torn");
    }
    const reading = (async () => {
      for await (const value of mapInOrder(source(), 2, async (value) => value)) seen.push(value);
    })();
    await expect(reading).rejects.toThrow("torn");
    expect(seen).toEqual([0, 1, 2]);
  });

  it("throws in the place of the value that failed", async () => {
    const seen: number[] = [];
    const work = async (value: number) => {
      if (value === 2) throw new Error("two");
      return value;
    };
    const reading = (async () => {
      for await (const value of mapInOrder([0, 1, 2, 3], 3, work)) seen.push(value);
    })();
    await expect(reading).rejects.toThrow("two");
    expect(seen).toEqual([0, 1]);
  });
});

it("a running mean is the mean and its standard error, however large the values", () => {
  const mean = (values: number[]) => {
    const running = new RunningMean();
    for (const value of values) running.add(value);
    return [running.mean, running.standardError];
  };
  expect(mean([])).toEqual([null, null]);
  expect(mean([3])).toEqual([3, null]);
  expect(mean([1, 2, 3, 4])).toEqual([2.5, expect.closeTo(Math.sqrt(5 / 3) / 2, 15)]);
  expect(mean([1e9 + 1, 1e9 + 2, 1e9 + 3])).toEqual([1e9 + 2, expect.closeTo(1 / Math.sqrt(3), 12)]);
});
