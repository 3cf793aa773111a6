import { describe, expect, it } from "vitest";
import { aggregations, type Judgement } from "../../src/scoring/index.js";
import { scored } from "./scored.js";

function figures(name: string, rows: readonly Judgement[], options = { bootstrap: 0, seed: 0 }) {
  const gathered = aggregations.lookup(name)(options);
  for (const row of rows) gathered.add(row);
  return { ...gathered.metrics(), ...gathered.details?.() };
}
const rows = (...scores: (number | null)[]) => scores.map((score) => ({ score }));

describe("aggregations", () => {
  it("of nothing have no value", () => {
    for (const rowsOfNone of [[], rows(null)]) {
      expect(figures("accuracy", rowsOfNone)).toEqual({
        accuracy: null,
        num_correct: 0,
        num_total: 0,
        accuracy_stderr: null,
      });
      expect(figures("average", rowsOfNone)).toEqual({ average: null, average_stderr: null });
      expect(figures("weighted_average", rowsOfNone)).toEqual({
        weighted_average: null,
        weighted_average_stderr: null,
      });
      expect(figures("median", rowsOfNone)).toEqual({ median: null });
      expect(figures("categorical_count", rowsOfNone)).toEqual({ categorical_count: {} });
    }
  });

  it("average, median and accuracy leave out rows without a score", () => {
    expect(figures("average", rows(1, null, 2, 6))).toEqual({
      average: 3,
      average_stderr: expect.closeTo(Math.sqrt(7 / 3), 12),
    });
    expect(figures("median", rows(9, null, 2, 6))).toEqual({ median: 6 });
    expect(figures("median", rows(9, 2, 6, 4))).toEqual({ median: 5 });
    expect(figures("accuracy", rows(1, 0, null, 1))).toMatchObject({ num_correct: 2, num_total: 3 });
  });

  it("the weighted average leaves a row without a score out of both sums", () => {
    const weighed = [
      { score: 1, weight: 3 },
      { score: null, weight: 5 },
      { score: 0 },
      { score: 0.5, weight: 0 },
    ];
    // mean 3/4; sum w^2 (x - mean)^2 = 9/16 + 9/16, times 3/2, root, over 4.
    expect(figures("weighted_average", weighed)).toEqual({
      weighted_average: 0.75,
      weighted_average_stderr: expect.closeTo(Math.sqrt((3 / 2) * (18 / 16)) / 4, 12),
    });
    expect(figures("weighted_average", [{ score: 1, weight: 0 }])).toMatchObject({ weighted_average: null });
  });

  it("categories are counted by name, sorted, numbers as text", () => {
    const verdicts = [
      { score: 1, category: "B" },
      { score: null, category: "A" },
      { score: 0.5 },
      { score: null },
    ];
    const found = figures("categorical_count", [...verdicts, ...verdicts]);
    expect(JSON.stringify(found)).toBe('{"categorical_count":{"0.5":2,"A":2,"B":2}}');
  });

  it("intervals of the bootstrap are seeded and near what theory says", () => {
    const many = rows(...Array.from({ length: 400 }, (_, place) => Number(place % 4 === 0)));
    const options = { bootstrap: 2000, seed: 7 };
    const found = figures("accuracy", many, options) as Record<string, number>;
    // 0.25 with a standard error of sqrt(0.25 * 0.75 / 400) = 0.02165; 1.96 of it on both sides.
    expect(found.accuracy_ci_low).toBeCloseTo(0.2076, 2);
    expect(found.accuracy_ci_high).toBeCloseTo(0.2924, 2);
    expect(figures("accuracy", many, options)).toEqual(found);
    expect(figures("accuracy", rows(1), options)).toMatchObject({ accuracy_ci_low: null });
    const median = figures("median", rows(...Array.from({ length: 101 }, (_, place) => place)), options);
    expect(median).toMatchObject({ median: 50 });
    expect((median as Record<string, number>).median_ci_low).toBeGreaterThan(35);
    expect((median as Record<string, number>).median_ci_high).toBeLessThan(65);
    expect((median as Record<string, number>).median_stderr).toBeGreaterThan(1);
    const weighed = Array.from({ length: 50 }, (_, place) => ({ score: place % 2, weight: 1 + (place % 3) }));
    const { weighted_average, weighted_average_ci_low, weighted_average_ci_high } = figures(
      "weighted_average",
      weighed,
      options,
    ) as Record<string, number>;
    expect(weighted_average_ci_low).toBeLessThan(weighted_average!);
    expect(weighted_average_ci_high).toBeGreaterThan(weighted_average!);
  });

  it("are chosen by the params of a call, and found by name", async () => {
    const answers = ["a", "b"].map((text) => ({ generated_answer: text, expected_answer: "a" }));
    const params = { aggregation_functions: ["median", "categorical_count"], bootstrap: 10 };
    const { metrics, details, aggregated } = await scored("equality", answers, params);
    expect(Object.keys(metrics!)).toEqual(["median", "median_stderr", "median_ci_low", "median_ci_high"]);
    expect(details).toEqual({ categorical_count: { "0": 1, "1": 1 } });
    expect(aggregated).toMatchObject({
      median: { median: 0.5 },
      categorical_count: { categorical_count: { "0": 1, "1": 1 } },
    });
    await expect(scored("equality", answers, { aggregation_functions: ["mode"] })).rejects.toThrow(
      /elenchus list aggregations/,
    );
  });
});
