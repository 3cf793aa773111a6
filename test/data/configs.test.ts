import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { buildCatalog } from "../../src/cli/catalog.js";
import { pathsOf, readConfigFile } from "../../src/config/index.js";
import { checkPartitions, describePartitions, loadDatasource } from "../../src/data/index.js";

const root = fileURLToPath(new URL("../../", import.meta.url));
const read = (name: string) =>
  readConfigFile(`${root}configs/${name}`, buildCatalog(), { base: `${root}runtime` }).config;

describe("configs/", () => {
  test("csv.toml finds its table, and every client has rows to train and to test on", async () => {
    const config = read("csv.toml");
    const source = await loadDatasource(config.data, pathsOf(config).data);
    expect([source.trainset.length, source.testset.length]).toEqual([455, 114]);
    expect(source.trainset).toMatchObject({ inputShape: [30], classNames: ["benign", "malignant"] });
    checkPartitions(config, source);
    expect(describePartitions(config, source)).toMatchObject({ held: 455, disjoint: true });
  });

  test("fashion-mnist.toml asks for as many rows as there are", () => {
    const { clients, data } = read("fashion-mnist.toml");
    expect(clients.total_clients * data.partition_size!).toBe(60_000);
  });

  test("keys of samplers and sources are checked with their line", () => {
    const setting = (set: string[]) => () =>
      readConfigFile(`${root}configs/csv.toml`, buildCatalog(), { base: `${root}runtime`, set });
    expect(setting(['data.sampler="mixed"', "data.partition_size=20"])).toThrow(/data\.non_iid_clients/);
    expect(setting(["data.min_partition_size=0"])).toThrow(/min_partition_size/);
    expect(setting(['data.testset_sampler="idd"'])).toThrow(/"iid"/);
    expect(setting(['data.missing_values="guess"'])).toThrow(/missing_values/);
    expect(
      setting(['data.sampler="orthogonal"', "data.partition_size=20", "algorithm.total_silos=2"]),
    ).not.toThrow();
  });
});
