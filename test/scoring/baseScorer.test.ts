import { describe, expect, it } from "vitest";
import { AggregateScorer, BaseScorer, type SingleEvalResult, scorerOf } from "../../src/scoring/index.js";

class AccuracyScorer extends BaseScorer {
  scoreSample(row: Readonly<Record<string, unknown>>): SingleEvalResult {
    if (row.generated_answer === undefined) throw new Error("no answer");
    return { score_data: { accuracy: Number(row.generated_answer === row.expected_answer) } };
  }
  aggregateResults(results: readonly SingleEvalResult[]) {
    if (results.length === 0) return { metrics: {} };
    const correct = results.reduce((sum, { score_data }) => sum + score_data.accuracy!, 0);
    return { metrics: { avg_accuracy: correct / results.length, num_correct: correct } };
  }
}
class LengthScorer extends BaseScorer {
  scoreSample(row: Readonly<Record<string, unknown>>): SingleEvalResult {
    return { score_data: { accuracy: String(row.generated_answer).length } };
  }
  aggregateResults(results: readonly SingleEvalResult[]) {
    return { metrics: { longest: Math.max(0, ...results.map(({ score_data }) => score_data.accuracy!)) } };
  }
}
const ROWS = [
  { generated_answer: "a", expected_answer: "a" },
  { generated_answer: "bcd", expected_answer: "b" },
];

describe("several scorers as one", () => {
  it("keep their metrics apart, those of one class too", async () => {
    const all = new AggregateScorer([new AccuracyScorer(), new LengthScorer(), new AccuracyScorer()]);
    const results = await all.score(ROWS);
    expect(results[1]!.score_data).toEqual({
      "AccuracyScorer:accuracy": 0,
      "LengthScorer:accuracy": 3,
      "AccuracyScorer#2:accuracy": 0,
    });
    expect(all.aggregateResults(results).metrics).toEqual({
      "AccuracyScorer:avg_accuracy": 0.5,
      "AccuracyScorer:num_correct": 1,
      "LengthScorer:longest": 3,
      "AccuracyScorer#2:avg_accuracy": 0.5,
      "AccuracyScorer#2:num_correct": 1,
    });
  });

  it("have no metrics of no rows", () => {
    expect(new AggregateScorer([new AccuracyScorer()]).aggregateResults([]).metrics).toEqual({});
  });
});

describe("a scorer of a class", () => {
  const scorer = scorerOf(new AccuracyScorer(), { name: "mine", description: "", columns: [] });

  it("streams, and loses no row to a bad one", async () => {
    const scoring = scorer.score([ROWS[0]!, {}, ROWS[1]!]);
    const rows = [];
    for await (const row of scoring.rows) rows.push(row);
    expect(rows).toMatchObject([
      { index: 0, score: 1, metadata: { score_data: { accuracy: 1 } } },
      { index: 1, score: null, error: "no answer" },
      { index: 2, score: 0 },
    ]);
    expect(scoring.metrics()).toEqual({ avg_accuracy: 0.5, num_correct: 1 });
  });

  it("takes what was judged before as it stands", async () => {
    const before = { index: 0, score: 0.25, metadata: { score_data: { accuracy: 0.25 } } };
    const scoring = scorer.score([{}, ROWS[0]!], {}, undefined, {
      known: (place) => (place === 0 ? before : undefined),
    });
    const rows = [];
    for await (const row of scoring.rows) rows.push(row);
    expect(rows[0]).toEqual(before);
    expect(scoring.metrics()).toEqual({ avg_accuracy: 0.625, num_correct: 1.25 });
  });
});
