import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  describePartitions,
  formatPartitions,
  type Sampler,
  samplers,
  TextDataset,
} from "../../../src/data/index.js";
import { datasetOf, dataTable } from "../dataTable.js";
import { samplerSuite } from "../suites/samplerSuite.js";

const natural = samplers.lookup("natural");

/** Rows of two tokens with these owners. */
function owned(of: readonly number[], names: readonly string[]): TextDataset {
  const rows = of.map((group) => ({ ids: Int32Array.of(1, 2), mask: Uint8Array.of(0, 1), group }));
  return new TextDataset({ rows, maxLength: 1, vocabularySize: 3, groupNames: names });
}

/** The suite knows no owners; here each row has its own. */
const eachItsOwn: Sampler = {
  partition: ({ dataset, ...request }) => {
    const of = Array.from({ length: dataset.length }, (_, row) => row);
    return natural.partition({ ...request, dataset: owned(of, of.map(String)) });
  },
};
samplerSuite("natural", eachItsOwn);

describe("the natural partition", () => {
  const dataset = owned([0, 1, 0, 2, 3, 1, 4], ["a", "b", "c", "d", "e"]);
  const ask = (totalClients: number, options: Record<string, unknown> = {}, seed = 1) =>
    Array.from({ length: totalClients }, (_, index) => [
      ...natural.partition({ dataset, clientId: index + 1, totalClients, seed, options }),
    ]);

  test("makes each owner a client where there are as many, else deals owners out", () => {
    expect(ask(5)).toEqual([[0, 2], [1, 5], [3], [4], [6]]);
    expect(ask(2)).toEqual([
      [0, 2, 3, 6],
      [1, 4, 5],
    ]);
  });

  test("never divides an owner, and holds every row once", () => {
    const groups = fc.array(fc.nat({ max: 7 }), { minLength: 8, maxLength: 40 });
    const order = fc.constantFrom("given", "shuffled");
    fc.assert(
      fc.property(
        groups,
        fc.integer({ min: 1, max: 8 }),
        order,
        fc.integer(),
        (of, clients, natural_order, seed) => {
          const rows = owned([0, 1, 2, 3, 4, 5, 6, 7, ...of], [..."abcdefgh"]);
          const parts = Array.from({ length: clients }, (_, index) =>
            natural.partition({
              dataset: rows,
              clientId: index + 1,
              totalClients: clients,
              seed,
              options: { natural_order },
            }),
          );
          expect(parts.flatMap((part) => [...part]).sort((a, b) => a - b)).toEqual(
            Array.from({ length: rows.length }, (_, row) => row),
          );
          const holders = parts.map((part) => new Set(Array.from(part, (row) => rows.groups.of[row]!)));
          expect(holders.reduce((sum, held) => sum + held.size, 0)).toBe(8);
        },
      ),
    );
  });

  test("with a partition size takes a sample of a client's own rows, at most all of them", () => {
    const parts = ask(2, { partition_size: 3 });
    expect(parts.map((part) => part.length)).toEqual([3, 3]);
    expect([0, 2, 3, 6]).toEqual(expect.arrayContaining(parts[0]!));
    expect(ask(2, { partition_size: 9 })).toEqual(ask(2));
  });

  test("refuses more clients than owners, and rows that are nobody's", () => {
    expect(() => ask(6)).toThrow(
      expect.objectContaining({
        code: "DATA_INVALID",
        message: expect.stringContaining("5 owners for 6 clients"),
        details: { path: ["clients", "total_clients"] },
      }),
    );
    const request = { dataset: datasetOf([0, 1]), clientId: 1, totalClients: 1, seed: 1, options: {} };
    expect(() => natural.partition(request)).toThrow(
      expect.objectContaining({ code: "DATA_INVALID", details: { path: ["data", "sampler"] } }),
    );
  });

  test("is told by the names of the owners", () => {
    const config = { clients: { total_clients: 2 }, data: dataTable({ sampler: "natural" }) };
    const source = { trainset: owned([0, 1, 2, 3, 4, 5, 6], [..."abcdefg"]), testset: dataset };
    expect(formatPartitions(describePartitions(config, source))).toBe(
      [
        "client  samples              owners",
        "     1        4  a, c, e and 1 more",
        "     2        3             b, d, f",
        "natural: 7 of 7 training rows are held; no row is held twice",
      ].join("\n"),
    );
  });

  test("owners stand for classes where a skew is asked for", () => {
    const noniid = samplers.lookup("noniid");
    const rows = owned(
      Array.from({ length: 400 }, (_, row) => row % 4),
      [..."abcd"],
    );
    const options = { partition_size: 50, concentration: 0.001 };
    const part = noniid.partition({ dataset: rows, clientId: 1, totalClients: 2, seed: 1, options });
    expect(new Set(Array.from(part, (row) => rows.groups.of[row]!)).size).toBe(1);
  });
});
