import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mostRows, type PartitionConfig, partitioner } from "../../src/data/index.js";
import { datasetOf, dataTable } from "./dataTable.js";

describe("the most rows of a client, by the configuration alone", () => {
  it.each([
    ["iid", {}, 50],
    ["noniid", {}, 50],
    ["noniid", { partition_distribution: { distribution: "uniform", low: 0.5, high: 1.25 } }, 62],
    // 1 + 10 * 0.5 times 50
    ["noniid", { partition_distribution: { distribution: "normal", mean: 1, high: 0.5 } }, 300],
    ["mixed", { non_iid_clients: 1 }, 50],
    ["orthogonal", {}, 50],
  ])("follow from the sizes of %s with %j", (sampler, keys, most) => {
    expect(mostRows(configOf(sampler, { partition_size: 50, ...keys }))).toBe(most);
  });

  it.each([
    ["iid", {}],
    ["label_quantity_noniid", { per_client_classes_size: 2 }],
    ["registered elsewhere", {}],
  ])("are left open by %s with %j", (sampler, keys) => {
    expect(mostRows(configOf(sampler, keys))).toBeUndefined();
  });

  it("are never exceeded", () => {
    const spreads = fc.constantFrom(
      { distribution: "uniform", low: 0.1, high: 1.7 },
      { distribution: "normal", mean: 1, high: 0.8 },
    );
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 1, max: 40 }), spreads, (seed, size, spread) => {
        const config = configOf("noniid", { partition_size: size, partition_distribution: spread }, seed);
        const partOf = partitioner(config, LABELLED);
        for (let client = 1; client <= CLIENTS; client++) {
          expect(partOf(client).indices.length).toBeLessThanOrEqual(mostRows(config)!);
        }
      }),
      { numRuns: 40 },
    );
  });
});

const CLIENTS = 8;
const LABELLED = datasetOf(Array.from({ length: 200 }, (_, row) => row % 5));

function configOf(sampler: string, keys: object, seed = 1): PartitionConfig {
  return {
    clients: { total_clients: CLIENTS },
    data: dataTable({ sampler, random_seed: seed, ...keys }),
  };
}
