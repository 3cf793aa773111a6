import { afterEach, describe, expect, test } from "vitest";
import type { ElenchusError } from "../../src/base/index.js";
import type { Config, DataFacts } from "../../src/config/index.js";
import {
  checkPartitions,
  clientPartition,
  describePartitions,
  formatPartitions,
  samplerCatalog,
  samplers,
  testPartitioner,
  testSubset,
} from "../../src/data/index.js";
import { datasetOf, dataTable } from "./dataTable.js";

const dataset = datasetOf([0, 1, 0, 1, 1, 0]);
const datasource = { trainset: dataset, testset: datasetOf([0, 1, 0]) };
const config = (change: Parameters<typeof dataTable>[0], clients = 2) => ({
  clients: { total_clients: clients },
  data: dataTable(change),
});

afterEach(() => samplers.unregister("mine"));

describe("the table of who holds what", () => {
  test("counts samples and classes for every client", () => {
    const table = describePartitions(config({ sampler: "all_inclusive" }), datasource);
    expect(table).toEqual({
      sampler: "all_inclusive",
      rows: 6,
      held: 6,
      disjoint: false,
      clients: [
        { client: 1, samples: 6, classes: [3, 3] },
        { client: 2, samples: 6, classes: [3, 3] },
      ],
    });
  });

  test("says when partitions are disjoint, and how many rows nobody holds", () => {
    samplers.register("mine", { partition: ({ clientId }) => Int32Array.of(clientId - 1, clientId + 1) });
    const table = describePartitions(config({ sampler: "mine" }), datasource);
    // Client 1 holds rows 0 and 2 (class 0), client 2 rows 1 and 3 (class 1).
    expect(table).toMatchObject({ held: 4, disjoint: true });
    expect(table.clients.map((row) => row.classes)).toEqual([
      [2, 0],
      [0, 2],
    ]);
    expect(formatPartitions(table)).toBe(
      [
        "client  samples  class 0  class 1",
        "     1        2        2        0",
        "     2        2        0        2",
        "mine: 4 of 6 training rows are held; no row is held twice",
      ].join("\n"),
    );
  });

  test("has no classes for regression", () => {
    const regression = { trainset: datasetOf([0.5, 1, 2], 0), testset: datasetOf([1], 0) };
    const table = describePartitions(config({}, 1), regression);
    expect(table.clients).toEqual([{ client: 1, samples: 3, classes: null }]);
    expect(formatPartitions(table).split("\n")[0]).toBe("client  samples");
  });
});

describe("the check of partitions", () => {
  test("passes what can be filled", () => {
    expect(() => checkPartitions(config({ testset_size: 3 }), datasource)).not.toThrow();
  });

  test("names each reason once, the test set's too", () => {
    const bad = config({ sampler: "noniid", partition_size: 7, testset_size: 4 }, 100);
    expect(() => checkPartitions(bad, datasource)).toThrow(
      expect.objectContaining({
        code: "DATA_INVALID",
        message:
          "data.testset_size = 4, but the test set has 3 rows. Lower it, or leave it out to use all. " +
          "data.partition_size = 7, but the training set has 6 rows. Lower data.partition_size.",
      }),
    );
  });

  test("says which key each reason is about", () => {
    const faultsOf = (data: Parameters<typeof dataTable>[0], clients: number) => {
      try {
        checkPartitions(config(data, clients), datasource);
      } catch (error) {
        return (error as ElenchusError).details.faults;
      }
      return [];
    };
    const at = (...path: string[]) => expect.objectContaining({ path, message: expect.any(String) });

    expect(faultsOf({ partition_size: 7, testset_size: 4 }, 2)).toEqual([
      at("data", "testset_size"),
      at("data", "partition_size"),
    ]);
    expect(faultsOf({}, 7)).toEqual([at("clients", "total_clients")]);
    samplers.register("mine", { partition: () => new Int32Array(0) });
    expect(faultsOf({ sampler: "mine" }, 1)).toEqual([at("data", "sampler")]);
  });

  test.each([
    ["no rows", new Int32Array(0), /gives client 1 no rows/],
    ["a row that is not there", Int32Array.of(0, 6), /gives client 1 row 6; .*from 0 to 5/],
    ["something else", [0, 1], /no Int32Array/],
  ])("refuses a sampler from code that gives %s", (_, partition, message) => {
    samplers.register("mine", { partition: () => partition as Int32Array });
    expect(() => checkPartitions(config({ sampler: "mine" }), datasource)).toThrow(message);
  });

  test("is made before the data are there, where their size is known", () => {
    const faults = (sampler: string, clients: number, facts?: DataFacts, partition_size?: number) =>
      samplerCatalog().find(({ name }) => name === sampler)!.check!(
        config({ partition_size }, clients) as Config,
        facts,
      ).map(({ path }) => path.join("."));
    const facts = { trainRows: 6, testRows: 3, classes: 2 };

    expect(faults("iid", 7, facts)).toEqual(["clients.total_clients"]);
    expect(faults("iid", 6, facts)).toEqual([]);
    expect(faults("iid", 7, facts, 1)).toEqual([]);
    expect(faults("iid", 7)).toEqual([]);
    expect(faults("noniid", 1, { ...facts, classes: 0 }, 1)).toEqual(["data.sampler"]);
    expect(faults("noniid", 1, facts, 1)).toEqual([]);
  });

  test("lets a defect of a sampler through as what it is", () => {
    samplers.register("mine", {
      partition: () => {
        throw new TypeError("a defect");
      },
    });
    expect(() => checkPartitions(config({ sampler: "mine" }), datasource)).toThrow(TypeError);
  });

  test.each([0, 3, 1.5])("knows no client %s of two", (client) => {
    expect(() => clientPartition(config({}), dataset, client)).toThrow(/expected a logical client from 1 to/);
  });

  test("knows no sampler that nobody registered", () => {
    expect(() => clientPartition(config({ sampler: "nonid" }), dataset, 1)).toThrow(/Did you mean "noniid"/);
  });
});

describe("what clients test on", () => {
  const labels = Array.from({ length: 200 }, (_, row) => row % 4);
  const testset = datasetOf(labels);
  const trainset = datasetOf([...labels, ...labels]);

  test("is the same test subset for all without a sampler of its own", () => {
    const testOf = testPartitioner(config({ testset_size: 20 }), testset);
    expect(testOf(1)).toEqual({
      dataset: testset,
      indices: testSubset(dataTable({ testset_size: 20 }), testset),
    });
    expect(testOf(2)).toEqual(testOf(1));
    expect(testPartitioner(config({}), testset)(1).indices).toBeUndefined();
  });

  test("is a part of the test set with one", () => {
    const testOf = testPartitioner(config({ testset_sampler: "iid", partition_size: 30 }), testset);
    const parts = [testOf(1).indices!, testOf(2).indices!];
    expect(new Set(parts.flatMap((part) => [...part])).size).toBe(60);
  });

  test("has a size of its own where one is given", () => {
    const sizes = (keys: object) => {
      const setting = config({ testset_sampler: "noniid", partition_size: 30, ...keys });
      return [clientPartition(setting, trainset, 1), testPartitioner(setting, testset)(1).indices!].map(
        ({ length }) => length,
      );
    };
    expect(sizes({})).toEqual([30, 30]);
    expect(sizes({ testset_partition_size: 7 })).toEqual([30, 7]);
  });

  test("has the class shares of the client's training rows where both are drawn by noniid", () => {
    const setting = config(
      {
        sampler: "noniid",
        testset_sampler: "noniid",
        partition_size: 40,
        concentration: 0.01,
      },
      6,
    );
    const main = (part: Int32Array) => part[0]! % 4;
    for (const client of [1, 2, 3, 4, 5, 6]) {
      const train = clientPartition(setting, trainset, client);
      expect(main(testPartitioner(setting, testset)(client).indices!)).toBe(main(train));
    }
  });

  test("is checked before a run: the set that is too small is named", () => {
    const bad = config({ testset_sampler: "iid", partition_size: 201 });
    expect(() => checkPartitions(bad, { trainset, testset })).toThrow(
      "Parts of 201 rows are asked for, but the test set has 200 rows. Set data.testset_partition_size to no more.",
    );
    expect(() => checkPartitions(config({ testset_sampler: "idd" }), { trainset, testset })).toThrow(/"iid"/);
  });
});

describe("the test subset", () => {
  const large = datasetOf(new Array<number>(200).fill(0));

  test("is all rows unless a size is given", () => {
    expect(testSubset(dataTable(), large)).toBeUndefined();
  });

  test("is a seeded draw of different rows in rising order", () => {
    const subset = testSubset(dataTable({ testset_size: 50 }), large)!;
    expect(new Set(subset).size).toBe(50);
    expect([...subset]).toEqual([...subset].sort((a, b) => a - b));
    expect(testSubset(dataTable({ testset_size: 50 }), large)).toEqual(subset);
    expect(testSubset(dataTable({ testset_size: 50, random_seed: 2 }), large)).not.toEqual(subset);
  });
});
