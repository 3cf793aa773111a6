import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chiSquareTail, normalBound } from "../../src/base/index.js";
import { mcNemarTest, pairedDifference, type ScoredPair } from "../../src/results/index.js";

const times = (count: number, sign: number) => Array.from({ length: count }, () => sign);
const pair = (question: number, a: number, b: number): ScoredPair => ({ question, a, b });
const how = { confidence: 0.95, seed: "test" };

describe("the tail of chi-square with one degree of freedom", () => {
  // Values of math.erfc of CPython, below and above the seam at x = 8.
  it.each([
    [1, 0.31731050786291415],
    [2.7, 0.10034824646229075],
    [3.841458820694124, 0.05],
    [6.634896601021213, 0.01],
    [7.9, 0.004943479736228246],
    [8.1, 0.004426525857919833],
    [25, 5.733031437583892e-7],
    [100, 1.523970604832105e-23],
  ])("at %f is %f", (x, p) => {
    expect(Math.abs(chiSquareTail(x) / p - 1)).toBeLessThan(1e-12);
  });

  it("at 0 is everything", () => expect(chiSquareTail(0)).toBe(1));

  // Half widths of the normal distribution, from any table.
  it.each([
    [0.5, 0.6744897501960817],
    [0.9, 1.6448536269514722],
    [0.95, 1.959963984540054],
    [0.99, 2.5758293035489004],
  ])("has %f of all inside a bound of %f", (confidence, bound) => {
    expect(normalBound(confidence)).toBeCloseTo(bound, 10);
  });
});

describe("McNemar's test", () => {
  it("is exact for few: one against seven is 2 (1 + 8) / 2^8", () => {
    expect(mcNemarTest([...times(1, -1), ...times(7, 1), ...times(90, 0)])).toEqual({
      method: "exact",
      p: 18 / 256,
    });
  });

  it("finds nothing where both are right equally often, or always alike", () => {
    expect(mcNemarTest([1, 1, -1, -1]).p).toBe(1);
    expect(mcNemarTest([0, 0, 0]).p).toBe(1);
  });

  it("flips whole questions: of +-2 +-1 +-1 six of eight are as far from 0 as 2 + 1 - 1", () => {
    expect(mcNemarTest([2, 1, -1])).toEqual({ method: "exact", p: 6 / 8 });
  });

  it("goes by chi-square for many: (|10 - 20| - 1)^2 / 30 = 2.7", () => {
    const { method, p } = mcNemarTest([...times(10, -1), ...times(20, 1)]);
    expect(method).toBe("chi-square");
    expect(p).toBeCloseTo(0.10034824646229075, 14);
  });

  it("takes the squares of questions for their weight: (|60| - 1)^2 / 120 = 29.008...", () => {
    // Thirty questions with two samples each, all of which only B has right.
    expect(mcNemarTest(times(30, 2)).p).toBeCloseTo(chiSquareTail(59 ** 2 / 120), 14);
  });

  it("does not care which of the two comes first", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -3, max: 3 }), { maxLength: 60 }), (signs) => {
        const { p } = mcNemarTest(signs);
        expect(mcNemarTest(signs.map((sign) => -sign)).p).toBeCloseTo(p, 12);
        expect(p).toBeGreaterThan(0);
        expect(p).toBeLessThanOrEqual(1);
      }),
    );
  });
});

describe("the paired difference", () => {
  const scores = [pair(1, 0, 1), pair(2, 1, 1), pair(3, 0, 0), pair(4, 0, 1)];

  it("is the mean of b - a: (1 + 0 + 0 + 1) / 4, with error sqrt(4 * 0.25) / 4", () => {
    expect(pairedDifference(scores, how)).toMatchObject({
      pairs: 4,
      questions: 4,
      meanA: 0.25,
      meanB: 0.75,
      difference: 0.5,
      standardError: 0.25,
      test: { method: "exact", p: 0.5 },
    });
  });

  it("sums within a question first: two questions of 0.5 each do not deviate at all", () => {
    const clustered = scores.map((one, place) => ({ ...one, question: place < 2 ? "first" : "second" }));
    expect(pairedDifference(clustered, how)).toMatchObject({
      questions: 2,
      difference: 0.5,
      standardError: 0,
      low: 0.5,
      high: 0.5,
      test: { method: "exact", p: 0.5 },
    });
  });

  it("draws whole questions: of two with 0 and 1, a quarter of the draws has each twice", () => {
    const both = [pair(1, 0, 0), pair(2, 0, 1)];
    expect(pairedDifference(both, how)).toMatchObject({ difference: 0.5, low: 0, high: 1 });
    // Half of the draws lie at 0.5: the middle 40 % surely do.
    expect(pairedDifference(both, { ...how, confidence: 0.4 })).toMatchObject({ low: 0.5, high: 0.5 });
  });

  it("has an interval near 1.96 standard errors where samples are many, the same for the same seed", () => {
    const many = Array.from({ length: 400 }, (_, place) => pair(place, 0, ((place * 7) % 20) / 10 - 0.9));
    const { difference, standardError, low, high } = pairedDifference(many, how);
    expect(low).toBeGreaterThan(difference - 2.2 * standardError!);
    expect(low).toBeLessThan(difference - 1.7 * standardError!);
    expect(high).toBeGreaterThan(difference + 1.7 * standardError!);
    expect(high).toBeLessThan(difference + 2.2 * standardError!);
    expect(pairedDifference(many, how)).toMatchObject({ low, high });
    expect(pairedDifference(many, { ...how, seed: "other" }).low).not.toBe(low);
  });

  it("knows neither error nor interval of a single question, and has no test for shares", () => {
    expect(pairedDifference([pair(1, 0.25, 0.5), pair(1, 0, 1)], how)).toMatchObject({
      difference: 0.625,
      standardError: null,
      low: null,
      high: null,
      test: null,
    });
  });
});
