import { afterEach, describe, expect, test } from "vitest";
import { z } from "zod";
import {
  datasourceCatalog,
  datasources,
  loadDatasource,
  samplerCatalog,
  samplers,
} from "../../src/data/index.js";
import { datasetOf, dataTable } from "./dataTable.js";

afterEach(() => datasources.unregister("custom"));

describe("a datasource from code", () => {
  test("is asked with the [data] table and the folder of data", async () => {
    const source = { trainset: datasetOf([0, 1]), testset: datasetOf([1, 0]) };
    const asked: unknown[] = [];
    datasources.register("custom", (request) => {
      asked.push(request);
      return source;
    });
    expect(await loadDatasource(dataTable(), "/base/data")).toBe(source);
    expect(asked).toEqual([{ options: dataTable(), dataPath: "/base/data" }]);
  });

  test("that nobody registered is an error that says how to", async () => {
    await expect(loadDatasource(dataTable(), "")).rejects.toMatchObject({
      code: "NAME_UNKNOWN",
      message: expect.stringContaining('datasources.register("custom"'),
    });
  });

  test("must have training and test rows of one form", async () => {
    datasources.register("custom", async () => ({
      trainset: datasetOf([0, 1, 2]),
      testset: datasetOf([0, 1]),
    }));
    await expect(loadDatasource(dataTable(), "")).rejects.toMatchObject({
      code: "DATA_INVALID",
      message: expect.stringContaining("of 3 classes and test rows with inputs [1] of 2 classes"),
    });
  });
});

test("the size that is told of the digits is theirs", async () => {
  const { trainset, testset } = await loadDatasource(dataTable({ datasource: "digits" }), "");
  const facts = { trainRows: trainset.length, testRows: testset.length, classes: trainset.classes };
  expect(datasourceCatalog().find((entry) => entry.name === "digits")?.facts).toEqual(facts);
});

test("the catalogs name what is registered, with the options that are declared", () => {
  expect(datasourceCatalog().map((entry) => entry.name)).toEqual([
    "CIFAR10",
    "CIFAR100",
    "CSV",
    "EMNIST",
    "FashionMNIST",
    "HuggingFace",
    "MNIST",
    "Purchase",
    "Texas",
    "Torchvision",
    "custom",
    "digits",
    "jsonl",
    "nanochat",
    "speeches",
    "text",
  ]);
  datasources.register(
    "custom",
    Object.assign(() => ({}) as never, { options: z.looseObject({}) }),
  );
  expect(datasourceCatalog().filter((entry) => entry.name === "custom")).toEqual([
    { name: "custom", description: "", options: expect.anything() },
  ]);
  expect(samplerCatalog().filter((entry) => entry.options === undefined)).toEqual([]);
  expect(samplerCatalog().map((entry) => entry.name)).toEqual([
    "all_inclusive",
    "distribution_noniid",
    "iid",
    "label_quantity_noniid",
    "mixed",
    "mixed_label_quantity_noniid",
    "modality_iid",
    "modality_quantity_noniid",
    "natural",
    "noniid",
    "orthogonal",
    "sample_quantity_noniid",
  ]);
  expect(samplers.lookup("noniid").options!.safeParse(dataTable()).success).toBe(false);
  expect(samplers.lookup("noniid").options!.safeParse(dataTable({ partition_size: 3 })).success).toBe(true);
});
