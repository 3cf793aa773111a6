import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { samplers } from "../../../src/data/index.js";
import { sharedSizes } from "../../../src/data/samplers/sharedSizes.js";
import { datasetOf } from "../dataTable.js";
import { samplerSuite } from "../suites/samplerSuite.js";
import { concentrationOf, countsOf, firstRows, heldRows, partitionsOf } from "./partitionsOf.js";

const smallest = () => ({ min_partition_size: 1 });
samplerSuite("sample_quantity_noniid", samplers.lookup("sample_quantity_noniid"), smallest);
samplerSuite("distribution_noniid", samplers.lookup("distribution_noniid"), smallest);

describe("sizes by shares", () => {
  test("raise who would get too little, and take it from the others in proportion", () => {
    // The third is raised to 10; the others share 90 as 70 to 25: 66.3 and 23.7.
    expect([...sharedSizes(100, [0.7, 0.25, 0.05], 10)]).toEqual([66, 24, 10]);
    // Raising the third to 30 leaves 70 as 60 to 30, 23.3 for the second, which is raised too.
    expect([...sharedSizes(100, [0.6, 0.3, 0.1], 30)]).toEqual([40, 30, 30]);
  });

  test("round by largest remainder", () => {
    expect([...sharedSizes(10, [0.26, 0.26, 0.48], 0)]).toEqual([3, 2, 5]);
  });

  test("are whole numbers that sum to all, none below the least", () => {
    const shares = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(shares, fc.nat(50), fc.nat(500), (given, minimum, more) => {
        const total = minimum * given.length + more;
        const sizes = sharedSizes(total, [...given, 1e-9].slice(0, given.length), minimum);
        expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(total);
        expect(Math.min(...sizes)).toBeGreaterThanOrEqual(minimum);
      }),
    );
  });
});

describe("sample_quantity_noniid", () => {
  test("gives every row to one client, none of which is below the minimum", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), fc.nat(20), fc.integer(), (totalClients, minimum, seed) => {
        const dataset = datasetOf(new Array<number>(200).fill(0));
        const options = { min_partition_size: minimum + 1, client_quantity_concentration: 0.3 };
        const parts = partitionsOf("sample_quantity_noniid", { dataset, totalClients, seed, options });
        expect(heldRows(parts)).toEqual(firstRows(200));
        expect(Math.min(...parts.map((part) => part.length))).toBeGreaterThan(minimum);
      }),
    );
  });

  test.each([0.3, 1, 4])("spreads sizes as a Dirichlet distribution of concentration %d does", (alpha) => {
    const dataset = datasetOf(new Array<number>(20_000).fill(0));
    const options = { min_partition_size: 1, client_quantity_concentration: alpha };
    const shares = firstRows(300).flatMap((seed) =>
      partitionsOf("sample_quantity_noniid", { dataset, totalClients: 5, seed, options }).map(
        (part) => part.length / dataset.length,
      ),
    );
    expect(concentrationOf(shares, 5) / alpha).toBeGreaterThan(0.85);
    expect(concentrationOf(shares, 5) / alpha).toBeLessThan(1.15);
  });

  test("says what minimum the data can give", () => {
    const request = { dataset: datasetOf([0, 0, 0, 0]), totalClients: 3, seed: 1, options: {} };
    expect(() => partitionsOf("sample_quantity_noniid", request)).toThrow(
      expect.objectContaining({
        code: "DATA_INVALID",
        message:
          "data.min_partition_size = 100 for 3 clients takes 300 rows, but there are 4. Set data.min_partition_size to at most 1, or lower clients.total_clients.",
        details: { path: ["data", "min_partition_size"] },
      }),
    );
  });
});

describe("distribution_noniid", () => {
  const labels = firstRows(6000).map((row) => row % 4);
  const dataset = datasetOf(labels);

  test("draws the sizes of all clients at once, so that they sum to the rows of the data", () => {
    for (const seed of [0, 1, 2]) {
      const options = { min_partition_size: 20 };
      const parts = partitionsOf("distribution_noniid", { dataset, totalClients: 30, seed, options });
      const sizes = parts.map((part) => part.length);
      expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(6000);
      expect(Math.min(...sizes)).toBeGreaterThanOrEqual(20);
    }
  });

  test("skews the classes of each client by the concentration of labels", () => {
    const evenly = { min_partition_size: 1, client_quantity_concentration: 1e6 };
    const spread = (label_concentration: number) => {
      const options = { ...evenly, label_concentration };
      const parts = partitionsOf("distribution_noniid", { dataset, totalClients: 300, seed: 9, options });
      return parts.flatMap((part) => countsOf(part, labels, 4).map((count) => count / part.length));
    };
    // Twenty rows a client: X/n of a Dirichlet-multinomial spreads by (n + A) / n more, A the sum of concentrations.
    const recovered = (shares: number[]) => {
      const v = shares.reduce((sum, share) => sum + (share - 0.25) ** 2, 0) / shares.length / (0.25 * 0.75);
      return (1 - v) / (v - 1 / 20) / 4;
    };
    for (const alpha of [0.3, 1]) {
      expect(recovered(spread(alpha)) / alpha).toBeGreaterThan(0.8);
      expect(recovered(spread(alpha)) / alpha).toBeLessThan(1.2);
    }
  });
});
