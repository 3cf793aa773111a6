import { describe, expect, it } from "vitest";
import { aggregateClients, dueOnClient, type MetricSum } from "../../src/evaluators/index.js";

const value = (
  name: string,
  number: number,
  sum: MetricSum | null = null,
  higherIsBetter: boolean | null = null,
) => ({
  name,
  value: number,
  sum,
  higherIsBetter,
});
const ratio = (numerator: number, denominator: number, transform: MetricSum["transform"] = "identity") => ({
  numerator,
  denominator,
  transform,
});

describe("a metric over clients", () => {
  it("is exact by what adds up, and no mean of ratios", () => {
    // 1 of 2 and 9 of 10: 10 of 12; the mean by samples 1 : 3 would be (0.5 + 3 * 0.9) / 4 = 0.8.
    const [accuracy] = aggregateClients([
      { weight: 1, metrics: [value("accuracy", 0.5, ratio(1, 2), true)] },
      { weight: 3, metrics: [value("accuracy", 0.9, ratio(9, 10), true)] },
    ]);
    expect(accuracy).toMatchObject({
      metric: "accuracy",
      exact: true,
      min: 0.5,
      max: 0.9,
      higherIsBetter: true,
    });
    expect(accuracy!.value).toBeCloseTo(10 / 12, 12);
    // About the weighted mean: (1 * 0.3^2 + 3 * 0.1^2) / 4 = 0.03.
    expect(accuracy!.std).toBeCloseTo(Math.sqrt(0.03), 12);
  });

  it("raises a sum of logarithms once it is whole", () => {
    const [perplexity] = aggregateClients([
      { weight: 1, metrics: [value("perplexity", Math.exp(2), ratio(4, 2, "exp"))] },
      { weight: 1, metrics: [value("perplexity", Math.exp(1), ratio(6, 6, "exp"))] },
    ]);
    expect(perplexity!.value).toBeCloseTo(Math.exp(10 / 8), 12);
  });

  it("is the mean by samples where one client says of nothing that it adds up", () => {
    const [f1] = aggregateClients([
      { weight: 1, metrics: [value("f1", 0.2, ratio(1, 5))] },
      { weight: 3, metrics: [value("f1", 0.6)] },
    ]);
    expect(f1).toMatchObject({ exact: false });
    expect(f1!.value).toBeCloseTo(0.5, 12);
  });

  it("is over those clients that have it, those without samples in least and most alone", () => {
    const found = aggregateClients([
      { weight: 2, metrics: [value("b", 1), value("a", 4)] },
      { weight: 2, metrics: [value("a", 8)] },
      { weight: 0, metrics: [value("a", 100)] },
    ]);
    expect(found.map(({ metric, value: mean, std, min, max }) => [metric, mean, std, min, max])).toEqual([
      ["b", 1, 0, 1, 1],
      ["a", 6, 2, 4, 100],
    ]);
  });

  it("does not exist without samples, without a denominator, or beyond all numbers", () => {
    const one = (weight: number, sum: MetricSum | null, number = 1) =>
      aggregateClients([{ weight, metrics: [value("a", number, sum)] }])[0]!;
    expect(one(0, null)).toMatchObject({ value: null, std: null, min: 1, max: 1 });
    expect(one(1, ratio(0, 0))).toMatchObject({ value: null, std: 0 });
    expect(one(1, ratio(1000, 1, "exp"))).toMatchObject({ value: null });
  });
});

describe("evaluators on clients", () => {
  it("are due in rounds divisible by `every` and in round `trainer.rounds`, whatever a target does", () => {
    const config = {
      trainer: { rounds: 5 },
      evaluation: [
        { type: "a", on_clients: true, every: 2 },
        { type: "b" },
        { type: "c", on_clients: true },
        { type: "broken", on_clients: true, every: -1 },
      ],
    };
    expect([1, 2, 5].map((round) => dueOnClient(config, round))).toEqual([["c"], ["a", "c"], ["a", "c"]]);
  });
});
