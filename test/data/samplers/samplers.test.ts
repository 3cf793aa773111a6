import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { samplers } from "../../../src/data/index.js";
import { datasetOf } from "../dataTable.js";
import { samplerSuite } from "../suites/samplerSuite.js";
import { partitionsOf } from "./partitionsOf.js";

for (const name of ["iid", "noniid", "all_inclusive", "modality_iid", "modality_quantity_noniid"]) {
  samplerSuite(name, samplers.lookup(name));
}

const rows = (count: number) => datasetOf(new Array<number>(count).fill(0));

describe("iid", () => {
  test("without a partition size deals out every row once, shares differing by at most one", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 80 }), fc.nat(), fc.integer(), (count, wanted, seed) => {
        const totalClients = 1 + (wanted % count);
        const parts = partitionsOf("iid", { dataset: rows(count), totalClients, seed, options: {} });
        const held = parts.flatMap((part) => [...part]).sort((a, b) => a - b);
        expect(held).toEqual(Array.from({ length: count }, (_, row) => row));
        const sizes = parts.map((part) => part.length);
        expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
      }),
    );
  });

  test("with a partition size gives exactly that, disjoint while the rows last", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 12 }), (size, totalClients) => {
        const dataset = rows(size * totalClients + 3);
        const options = { partition_size: size };
        const parts = partitionsOf("iid", { dataset, totalClients, seed: 5, options });
        expect(parts.every((part) => part.length === size)).toBe(true);
        expect(new Set(parts.flatMap((part) => [...part])).size).toBe(size * totalClients);
      }),
    );
  });

  test("shares rows only when there are too few, and then uses them all", () => {
    const options = { partition_size: 20 };
    const parts = partitionsOf("iid", { dataset: rows(100), totalClients: 10, seed: 1, options });
    expect(parts.map((part) => new Set(part).size)).toEqual(new Array(10).fill(20));
    expect(new Set(parts.flatMap((part) => [...part])).size).toBe(100);
  });

  test("another seed shuffles otherwise", () => {
    const ask = (seed: number) =>
      partitionsOf("iid", { dataset: rows(50), totalClients: 5, seed, options: {} });
    expect(ask(1)).not.toEqual(ask(2));
  });

  test.each([
    [{}, /4 rows for 5 clients, so client 5 would hold none/],
    [{ partition_size: 5 }, /partition_size = 5, but the training set has 4 rows/],
  ])("refuses %j for 4 rows and 5 clients", (options, message) => {
    const request = { dataset: rows(4), totalClients: 5, seed: 1, options };
    expect(() => partitionsOf("iid", request)).toThrow(
      expect.objectContaining({ code: "DATA_INVALID", message: expect.stringMatching(message) }),
    );
  });
});

describe("all_inclusive", () => {
  test("gives every client all rows in their order", () => {
    const parts = partitionsOf("all_inclusive", { dataset: rows(4), totalClients: 2, seed: 1, options: {} });
    expect(parts).toEqual([Int32Array.of(0, 1, 2, 3), Int32Array.of(0, 1, 2, 3)]);
  });
});

describe("noniid", () => {
  const balanced = datasetOf(Array.from({ length: 4000 }, (_, row) => row % 4));

  test("gives every client exactly the rows it asks for", () => {
    const options = { partition_size: 37, concentration: 0.3 };
    const parts = partitionsOf("noniid", { dataset: balanced, totalClients: 20, seed: 1, options });
    expect(parts.every((part) => part.length === 37)).toBe(true);
  });

  test.each([0.2, 1, 5])(
    "spreads class shares as a Dirichlet distribution of concentration %d does",
    (alpha) => {
      // The count X of one of K classes among n rows is Dirichlet-multinomial (rows per class >> n), with A = K
      // * alpha: variance of X/n = m (1 - m) (n + A) / (n (1 + A)), m = 1/K. Solved for A.
      const clients = 1500;
      const n = 40;
      const options = { partition_size: n, concentration: alpha };
      const parts = partitionsOf("noniid", { dataset: balanced, totalClients: clients, seed: 11, options });
      const shares = parts.flatMap((part) =>
        [0, 1, 2, 3].map((label) => part.filter((row) => row % 4 === label).length / n),
      );
      const variance = shares.reduce((sum, share) => sum + (share - 0.25) ** 2, 0) / shares.length;
      const v = variance / (0.25 * 0.75);
      const recovered = (1 - v) / (v - 1 / n) / 4;
      expect(recovered / alpha).toBeGreaterThan(0.9);
      expect(recovered / alpha).toBeLessThan(1.1);
    },
  );

  test("a large concentration draws evenly over the rows, not over the classes", () => {
    // 900 rows of class 0 and 100 of class 1: a tenth of 200 * 50 rows is class 1; half would be, class by class.
    const dataset = datasetOf(Array.from({ length: 1000 }, (_, row) => (row < 900 ? 0 : 1)));
    const options = { partition_size: 50, concentration: 1e6 };
    const parts = partitionsOf("noniid", { dataset, totalClients: 200, seed: 3, options });
    const rare = parts.flatMap((part) => [...part]).filter((row) => row >= 900).length / (200 * 50);
    // Five standard errors of a proportion of 0.1 over 10,000 draws.
    expect(Math.abs(rare - 0.1)).toBeLessThan(5 * Math.sqrt((0.1 * 0.9) / 10_000));
  });

  test("rows of one class are drawn evenly", () => {
    const dataset = datasetOf(new Array<number>(10).fill(0));
    const options = { partition_size: 3 };
    const parts = partitionsOf("noniid", { dataset, totalClients: 4000, seed: 2, options });
    const counts = new Array<number>(10).fill(0);
    for (const part of parts) for (const row of part) counts[row]!++;
    // Each row is expected 1,200 times with variance 4000 * 0.3 * 0.7 = 840.
    for (const count of counts) expect(Math.abs(count - 1200)).toBeLessThan(5 * Math.sqrt(840));
  });

  test("a tiny concentration leaves one class until it runs out, and never fails", () => {
    const options = { partition_size: 12, concentration: 1e-6 };
    const dataset = datasetOf(Array.from({ length: 40 }, (_, row) => row % 4));
    const parts = partitionsOf("noniid", { dataset, totalClients: 50, seed: 1, options });
    for (const part of parts) {
      const counts = [0, 1, 2, 3].map((label) => part.filter((row) => row % 4 === label).length);
      // The first class gives its ten rows, then the others give the last two.
      expect(Math.max(...counts)).toBe(10);
      expect(new Set(part).size).toBe(12);
    }
  });

  test("sizes are multiplied by a factor drawn once for each client", () => {
    const sizes = (partition_distribution: object) =>
      partitionsOf("noniid", {
        dataset: balanced,
        totalClients: 400,
        seed: 4,
        options: { partition_size: 40, partition_distribution },
      }).map((part) => part.length);
    const uniform = sizes({ distribution: "uniform", low: 0.5, high: 1.5 });
    expect(Math.min(...uniform)).toBeGreaterThanOrEqual(20);
    expect(Math.max(...uniform)).toBeLessThan(60);
    // The mean of floor(40 u), u from 0.5 to 1.5, is 39.5; five standard errors of 400 draws of deviation 40/sqrt(12).
    const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
    expect(Math.abs(mean(uniform) - 39.5)).toBeLessThan((5 * 40) / Math.sqrt(12 * 400));
    const normal = sizes({ distribution: "normal", mean: 2, high: 0.25 });
    expect(Math.abs(mean(normal) - 79.5)).toBeLessThan((5 * 10) / Math.sqrt(400));
    // However wide the distribution is, a client holds a row at least and all at most.
    const wide = sizes({ distribution: "normal", mean: 50, high: 100 });
    expect([Math.min(...wide), Math.max(...wide)]).toEqual([1, 4000]);
  });

  test.each([
    [{ distribution: "uniform", low: 2, high: 1 }, /low not above high/],
    [{ distribution: "zipf", s: 1 }, /partition_distribution/],
  ])("refuses the distribution of sizes %j", (partition_distribution, message) => {
    const request = {
      dataset: balanced,
      totalClients: 1,
      seed: 1,
      options: { partition_size: 4, partition_distribution },
    };
    expect(() => partitionsOf("noniid", request)).toThrow(message);
  });

  test("clients with multiples of a seed do not share their draws", () => {
    const options = { partition_size: 20, concentration: 0.5 };
    const ask = (seed: number, clientId: number) =>
      samplers.lookup("noniid").partition({ dataset: balanced, totalClients: 10, clientId, seed, options });
    expect(ask(2, 3)).not.toEqual(ask(3, 2));
    expect(ask(0, 1)).not.toEqual(ask(0, 2));
  });

  test.each([
    [
      "more rows than there are",
      { partition_size: 4001 },
      "DATA_INVALID",
      /4001, but the training set has 4000/,
    ],
    ["no size", {}, "CONFIG_INVALID", /partition_size is missing: .*needs a whole number of rows/],
    ["no spread", { partition_size: 5, concentration: 0 }, "CONFIG_INVALID", /concentration = 0/],
  ])("refuses %s", (_, options, code, message) => {
    const request = { dataset: balanced, totalClients: 1, seed: 1, options };
    expect(() => partitionsOf("noniid", request)).toThrow(
      expect.objectContaining({ code, message: expect.stringMatching(message) }),
    );
  });

  test("refuses regression data, which has no classes to skew", () => {
    const dataset = datasetOf([0.5, 1.5], 0);
    const request = { dataset, totalClients: 1, seed: 1, options: { partition_size: 1 } };
    expect(() => partitionsOf("noniid", request)).toThrow(
      expect.objectContaining({ code: "DATA_INVALID", message: expect.stringContaining("regression") }),
    );
  });
});
