import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { silentLogger, systemClock } from "../../src/base/index.js";
import { describePartitions, loadDatasource, partitioner } from "../../src/data/index.js";
import { dataTable } from "../data/dataTable.js";
import { temporaryFolder } from "../support/temporaryFolder.js";

const root = temporaryFolder("fashion");
/** From Debian's package dataset-fashion-mnist; the network is never asked. */
const load = (dataPath: string) =>
  loadDatasource(dataTable({ datasource: "FashionMNIST" }), dataPath, {
    hub: {
      settings: { endpoint: "http://hub.invalid", offline: true, cacheFolder: root },
      logger: silentLogger,
      clock: systemClock,
    },
  });

test("Fashion-MNIST as Debian packs it is what PyTorch makes of it", async () => {
  const dataPath = mkdtempSync(join(root, "data-"));
  // First out of the archive, then from the rows that were kept.
  for (let time = 0; time < 2; time++) {
    const { trainset, testset } = await load(dataPath);
    expect([trainset.length, testset.length, trainset.classes]).toEqual([60_000, 10_000, 10]);
    expect(trainset.inputShape).toEqual([28, 28, 1]);
    // Six thousand of each article to train on, a thousand to test on.
    const counts = (labels: ArrayLike<number>) =>
      Array.from({ length: 10 }, (_, label) => Array.from(labels).filter((each) => each === label).length);
    expect(counts(trainset.labels)).toEqual(new Array(10).fill(6000));
    expect(counts(testset.labels)).toEqual(new Array(10).fill(1000));
    const { inputs, labels } = trainset.batch([0, 59_999]);
    expect([...labels]).toEqual([9, 5]);
    // torch.from_numpy(images[0]).float().div(255).sub(0.1307).div(0.3081)[3, 10:16]
    expect([...inputs.subarray(3 * 28 + 10, 3 * 28 + 16)]).toEqual([
      -0.4242129623889923, -0.4242129623889923, -0.4114847183227539, -0.4242129623889923, -0.4242129623889923,
      -0.258745938539505,
    ]);
  }
});

test("a thousand clients divide it", async () => {
  const { trainset, testset } = await load(join(root, "divided"));
  const setting = {
    clients: { total_clients: 1000 },
    data: dataTable({ sampler: "sample_quantity_noniid", min_partition_size: 10 }),
  };
  const table = describePartitions(setting, { trainset, testset });
  expect(table).toMatchObject({ held: 60_000, disjoint: true });
  expect(table.class_names?.[9]).toBe("Ankle boot");
  const { dataset, indices } = partitioner(setting, trainset)(1000);
  expect(dataset.batch(indices).length).toBe(table.clients[999]!.samples);
});
