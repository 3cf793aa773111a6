import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { silentLogger, systemClock } from "../../../src/base/index.js";
import { tarFiles } from "../../../src/data/files/tarFile.js";
import { loadDatasource } from "../../../src/data/index.js";
import { temporaryFolder } from "../../support/temporaryFolder.js";
import { dataTable } from "../dataTable.js";

const root = temporaryFolder("cifar");
const hub = {
  settings: { endpoint: "http://hub.invalid", offline: true, cacheFolder: root },
  logger: silentLogger,
  clock: systemClock,
};
const load = (dataPath: string, datasource: string, keys = {}) =>
  loadDatasource(dataTable({ datasource, ...keys }), dataPath, { hub });

/** A record: labels, then planes in which red is `red`, green 0 and blue counts up. */
function record(labels: number[], red: number): Buffer {
  const planes = Buffer.alloc(3072);
  planes.fill(red, 0, 1024);
  for (let place = 0; place < 1024; place++) planes[2048 + place] = place % 256;
  return Buffer.concat([Buffer.from(labels), planes]);
}
function folderWith(files: Record<string, Buffer>, below = ""): string {
  const folder = mkdtempSync(join(root, "data-"));
  mkdirSync(join(folder, below), { recursive: true });
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, below, name), content);
  return folder;
}
const batches = () => ({
  "data_batch_1.bin": Buffer.concat([record([3], 255), record([9], 0)]),
  "data_batch_2.bin": record([1], 0),
  "data_batch_3.bin": record([2], 0),
  "data_batch_4.bin": record([4], 0),
  "data_batch_5.bin": record([5], 0),
  "test_batch.bin": record([8], 0),
  "batches.meta.txt": Buffer.from("airplane\n"),
});
/** The archive as the system's own program packs it. */
function packed(
  files: Record<string, Buffer>,
  options: string[] = [],
  below = "cifar-10-batches-bin",
): string {
  const content = folderWith(files, below);
  const folder = mkdtempSync(join(root, "packed-"));
  execFileSync("tar", ["-czf", join(folder, "cifar-10-binary.tar.gz"), ...options, "-C", content, below]);
  return folder;
}

describe("CIFAR10", () => {
  const check = async (folder: string) => {
    const { trainset, testset } = await load(folder, "CIFAR10");
    expect(trainset).toMatchObject({ length: 6, inputShape: [32, 32, 3], classes: 10 });
    expect([...trainset.labels]).toEqual([3, 9, 1, 2, 4, 5]);
    expect([...testset.labels]).toEqual([8]);
    expect(trainset.classNames?.[3]).toBe("cat");
    // Pixel 1: red 255, green 0, blue 1; Plato's normalisation for each.
    const inputs = trainset.batch([0]).inputs.subarray(3, 6);
    expect(inputs[0]).toBeCloseTo((1 - 0.485) / 0.229, 5);
    expect(inputs[1]).toBeCloseTo((0 - 0.456) / 0.224, 5);
    expect(inputs[2]).toBeCloseTo((1 / 255 - 0.406) / 0.225, 5);
  };

  test.each(["", "cifar-10-batches-bin"])("is read from loose files in %j", async (below) => {
    await check(folderWith(batches(), below));
  });

  test.each(["ustar", "gnu", "pax"])("is read from the archive, packed as %s", async (format) => {
    await check(packed(batches(), [`--format=${format}`]));
  });

  test.each<[string, (files: Record<string, Buffer>) => void, RegExp]>([
    [
      "a record that was cut",
      (files) => {
        files["data_batch_3.bin"] = record([2], 0).subarray(0, 3000);
      },
      /data_batch_3\.bin, byte 0: the last record has 3000 bytes\. Expected records of 3073 bytes/,
    ],
    [
      "a label that is none",
      (files) => {
        files["data_batch_1.bin"] = Buffer.concat([record([3], 0), record([10], 0)]);
      },
      /data_batch_1\.bin, byte 3073: the label is 10\. Expected a class from 0 to 9/,
    ],
    [
      "an empty file",
      (files) => {
        files["test_batch.bin"] = Buffer.alloc(0);
      },
      /test_batch\.bin, byte 0: the file is empty/,
    ],
  ])("says what is wrong with %s", async (_, spoil, message) => {
    const files = batches();
    spoil(files);
    await expect(load(folderWith(files), "CIFAR10")).rejects.toThrow(message);
    await expect(load(packed(files), "CIFAR10")).rejects.toThrow(message);
  });

  test("says what an archive lacks", async () => {
    const { "data_batch_4.bin": _, ...files } = batches();
    await expect(load(packed(files), "CIFAR10")).rejects.toThrow(/it has no data_batch_4\.bin/);
  });

  test.each([
    ["cut", (bytes: Buffer) => bytes.subarray(0, bytes.length - 40), /the archive (is damaged|ends) within/],
    [
      "no archive",
      () => Buffer.alloc(2048, 7),
      /byte 0: there is no header of a file\. Expected a tar archive/,
    ],
  ])("says that an archive is %s", async (_, spoil, message) => {
    const folder = packed(batches());
    const file = join(folder, "cifar-10-binary.tar.gz");
    writeFileSync(file, spoil(readFileSync(file)));
    await expect(load(folder, "CIFAR10")).rejects.toMatchObject({
      code: "DATA_INVALID",
      message: expect.stringMatching(message),
    });
  });
});

describe("CIFAR100", () => {
  test("has the fine labels, or the coarse ones", async () => {
    const folder = folderWith({
      "train.bin": Buffer.concat([record([19, 99], 0), record([0, 4], 0)]),
      "test.bin": record([7, 50], 0),
    });
    const fine = await load(folder, "CIFAR100");
    expect([fine.trainset.classes, ...fine.trainset.labels]).toEqual([100, 99, 4]);
    const coarse = await load(folder, "CIFAR100", { label_mode: "coarse" });
    expect([coarse.trainset.classes, ...coarse.trainset.labels]).toEqual([20, 19, 0]);
  });
});

describe("an archive", () => {
  test.each(["gnu", "pax"])("gives long names whole, packed as %s", async (format) => {
    const below = `${"long".repeat(30)}/${"name".repeat(20)}`;
    const folder = packed({ "a.bin": Buffer.from("content") }, [`--format=${format}`], below);
    const found: [string, string][] = [];
    for await (const entry of tarFiles(join(folder, "cifar-10-binary.tar.gz"))) {
      const pieces: Buffer[] = [];
      for await (const piece of entry.content()) pieces.push(piece);
      found.push([entry.name, Buffer.concat(pieces).toString()]);
    }
    expect(found).toEqual([[`${below}/a.bin`, "content"]]);
  });
});
