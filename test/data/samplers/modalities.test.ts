import { describe, expect, test } from "vitest";
import {
  ArrayDataset,
  describePartitions,
  formatPartitions,
  partitioner,
  testPartitioner,
} from "../../../src/data/index.js";
import { datasetOf, dataTable } from "../dataTable.js";

const pair = datasetOf([0, 1, 0, 1]);
/** Three numbers a row: `sound` the first and last, `sight` the one between. */
const dataset = Object.assign(
  new ArrayDataset({
    inputs: Float32Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12),
    inputShape: [3],
    labels: Int32Array.of(0, 1, 0, 1),
    classes: 2,
  }),
  {
    modalities: [
      { name: "sound", places: Int32Array.of(0, 2) },
      { name: "sight", places: Int32Array.of(1) },
    ],
  },
);
const config = (data: Parameters<typeof dataTable>[0]) => ({
  clients: { total_clients: 4 },
  data: dataTable(data),
});

describe("samplers of modalities", () => {
  test("leave a client what it has and put 0 for the rest, when it tests too", () => {
    const setting = config({ sampler: "modality_quantity_noniid", random_seed: 3 });
    const partOf = partitioner(setting, dataset);
    const testOf = testPartitioner(setting, dataset);
    const seen = new Set<string>();
    for (const client of [1, 2, 3, 4]) {
      const { dataset: own, modalities } = partOf(client);
      const [name] = modalities!;
      seen.add(name!);
      const inputs = name === "sound" ? [1, 0, 3, 10, 0, 12] : [0, 2, 0, 0, 11, 0];
      expect([...own.batch([0, 3]).inputs]).toEqual(inputs);
      expect([...testOf(client).dataset.batch([0, 3]).inputs]).toEqual(inputs);
      expect(own).toMatchObject({ length: 4, inputShape: [3], classes: 2, labels: dataset.labels });
    }
    expect(seen.size).toBe(2);
    expect([...dataset.batch([0]).inputs]).toEqual([1, 2, 3]);
  });

  test("deal out the rows as iid does", () => {
    const rows = (sampler: string) =>
      [1, 2, 3, 4].map((client) => partitioner(config({ sampler }), dataset)(client).indices);
    expect(rows("modality_iid")).toEqual(rows("iid"));
    expect(rows("modality_quantity_noniid")).toEqual(rows("iid"));
  });

  test("know one modality, rgb, of data that names none: every client has it", () => {
    const { dataset: own, modalities } = partitioner(
      config({ sampler: "modality_quantity_noniid" }),
      pair,
    )(1);
    expect(modalities).toEqual(["rgb"]);
    expect(own).toBe(pair);
  });

  test("show in the table who has what", () => {
    const table = describePartitions(config({ sampler: "modality_iid" }), {
      trainset: dataset,
      testset: dataset,
    });
    expect(table.clients[0]!.modalities).toEqual(["sound", "sight"]);
    expect(formatPartitions(table).split("\n")[0]).toMatch(/modalities$/);
  });

  test("refuse more than there are", () => {
    const partOf = partitioner(
      config({ sampler: "modality_quantity_noniid", per_client_modalties_size: 3 }),
      dataset,
    );
    expect(() => partOf(1)).toThrow(/per_client_modalties_size = 3, but the data has 2: sound, sight/);
  });
});
