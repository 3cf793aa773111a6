import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { scorers } from "../../src/scoring/index.js";
import { editDistance } from "../../src/scoring/text/levenshtein.js";
import { scored } from "./scored.js";
import { scorerSuite } from "./suites/scorerSuite.js";

interface Golden {
  rows: {
    answer: string;
    expected: string[];
    bleu: number;
    chrf: number;
    chrf_plus: number;
    rouge1: number[];
    rouge2: number[];
    rougeL: number[];
  }[];
  corpus: { bleu: number; chrf: number; chrf_plus: number };
}
const golden: Golden = JSON.parse(
  readFileSync(new URL("./goldens/textScores.json", import.meta.url), "utf8"),
);
const rows = golden.rows.map(({ answer, expected }) => ({
  generated_answer: answer,
  expected_answer: expected,
}));
const row = (generated_answer: unknown, expected_answer: unknown) => ({ generated_answer, expected_answer });

const good = [
  row("the cat", "the cat sat"),
  row("a dog", "the cat"),
  row("the cat sat", ["x", "the cat sat"]),
];
const bad = [row(null, "a"), row("a", []), row("a", 3)];
for (const name of ["exact_match", "token_f1", "levenshtein", "bleu", "chrf", "rouge_l", "rouge_n"]) {
  scorerSuite(name, () => ({ scorer: scorers.lookup(name), good, bad }));
}
scorerSuite("numeric_difference", () => ({
  scorer: scorers.lookup("numeric_difference"),
  good: [row("9", 10), row(-5, 5), row("1e3", "1000")],
  bad: [row("", 1), row("nine", 9), row(1, null)],
}));

describe("BLEU, chrF and ROUGE", () => {
  it.each([
    ["bleu", {}, "bleu", "bleu"],
    ["chrf", {}, "chrf", "chrf"],
    ["chrf", { word_order: 2 }, "chrf_plus", "chrf"],
  ] as const)(
    "%s %o gives sacrebleu's scores, of sentences and of the corpus",
    async (name, params, key, metric) => {
      const { scores, metrics } = await scored(name, rows, params);
      expect(scores).toEqual(golden.rows.map((one) => expect.closeTo(one[key], 9)));
      expect(metrics?.[metric]).toBeCloseTo(golden.corpus[key], 9);
    },
  );

  it.each([
    ["rouge_l", {}, "rougeL"],
    ["rouge_n", { n: 1 }, "rouge1"],
    ["rouge_n", { n: 2 }, "rouge2"],
  ] as const)("%s %o gives rouge_score's", async (name, params, key) => {
    const { results } = await scored(name, rows, params);
    expect(results.map(({ score, metadata }) => [metadata?.precision, metadata?.recall, score])).toEqual(
      golden.rows.map((one) => one[key].map((value) => expect.closeTo(value, 12))),
    );
  });
});

it("token F1 counts words as often as both have them, without case, marks and articles", async () => {
  const { scores, metrics } = await scored("token_f1", [
    row("The Cat, the cat!", "a cat sat"),
    row("", "the"),
    row("dog", ["cat", "a dog!"]),
    row("", "dog"),
  ]);
  // "cat cat" and "cat sat": one in common, 2 * 1 / (2 + 2).
  expect(scores).toEqual([0.5, 1, 1, 0]);
  expect(metrics).toEqual({
    f1: 0.625,
    f1_stderr: expect.closeTo(Math.sqrt((0.125 ** 2 * 1 + 0.375 ** 2 * 2 + 0.625 ** 2) / 3) / 2, 12),
  });
});

it("the numeric difference is relative to both, or within a tolerance", async () => {
  expect(
    (await scored("numeric_difference", [row(9, 10), row(-5, 5), row(0, 0), row("1e3", "1000")])).scores,
  ).toEqual([expect.closeTo(0.947368, 6), 0, 1, 1]);
  const within = await scored("numeric_difference", [row(9, 10), row(8.9, 10), row(0.05, 0)], {
    tolerance: 0.1,
  });
  expect(within.scores).toEqual([1, 0, 1]);
});

it("Levenshtein counts characters, whole even beyond 16 bits", async () => {
  const { scores } = await scored("levenshtein", [
    row("abc", "abd"),
    row("", ""),
    row("😀", "😁"),
    row("a", ""),
  ]);
  expect(scores).toEqual([expect.closeTo(2 / 3, 12), 1, 0, 0]);
});

it("edit distance is a distance", () => {
  const text = fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 7 });
  fc.assert(
    fc.property(text, text, text, (a, b, c) => {
      expect(editDistance(a, a)).toBe(0);
      expect(editDistance(a, b)).toBe(editDistance(b, a));
      expect(editDistance(a, c)).toBeLessThanOrEqual(editDistance(a, b) + editDistance(b, c));
      expect(editDistance(a, b)).toBeGreaterThanOrEqual(Math.abs(a.length - b.length));
    }),
  );
});

it("exact match parses, and leaves out what does not count", async () => {
  const texts = [row(" The  Answer. ", "answer"), row("12", "12")];
  expect((await scored("exact_match", texts)).scores).toEqual([0, 1]);
  const loose = { ignore_case: true, ignore_punctuation: true, ignore_articles: true };
  expect((await scored("exact_match", texts, loose)).scores).toEqual([1, 1]);
  const numbers = [row("So 3 + 4 = 7, or 1,007 in all.", "1007"), row("none", "0"), row("It is -4.", "-4")];
  const { results } = await scored("exact_match", numbers, { parser: "last_number" });
  expect(results).toMatchObject([
    { score: 1, metadata: { parsed: "1007" } },
    { score: 0, metadata: { parsed: null } },
    { score: 1 },
  ]);
});
