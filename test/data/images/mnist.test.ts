import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { silentLogger, systemClock } from "../../../src/base/index.js";
import { loadDatasource } from "../../../src/data/index.js";
import { temporaryFolder } from "../../support/temporaryFolder.js";
import { zipArchive } from "../../support/zipArchive.js";
import { dataTable } from "../dataTable.js";
import { idxImages, idxLabels, mnistFiles } from "./idxFiles.js";

const root = temporaryFolder("mnist");
const offline = {
  settings: { endpoint: "http://hub.invalid", offline: true, cacheFolder: root },
  logger: silentLogger,
  clock: systemClock,
};
/** A folder of data with these files, gzipped where the name says so. */
function folderWith(files: Iterable<readonly [string, Buffer]>, below = ""): string {
  const folder = mkdtempSync(join(root, "data-"));
  mkdirSync(join(folder, below), { recursive: true });
  for (const [name, content] of files) writeFileSync(join(folder, below, name), content);
  return folder;
}
const load = (dataPath: string, datasource = "MNIST", keys = {}) =>
  loadDatasource(dataTable({ datasource, ...keys }), dataPath, { hub: offline });
const gzipped = (files: ReadonlyMap<string, Buffer>) =>
  [...files].map(([name, content]) => [`${name}.gz`, gzipSync(content)] as const);

describe("MNIST", () => {
  test.each([
    ["as it is", "", (files: Map<string, Buffer>) => [...files]],
    ["gzipped", "", gzipped],
    ["where torchvision puts it", "MNIST/raw", gzipped],
    [
      "with dots in its names",
      "MNIST",
      (files: Map<string, Buffer>) =>
        [...files].map(([name, content]) => [name.replace("-idx", ".idx"), content] as const),
    ],
    [
      "gzipped under a name that does not say so",
      "",
      (files: Map<string, Buffer>) => [...files].map(([name, content]) => [name, gzipSync(content)] as const),
    ],
  ])("is read %s", async (_, below, packed) => {
    const { trainset, testset } = await load(folderWith(packed(mnistFiles()), below));
    expect(trainset).toMatchObject({ length: 3, inputShape: [4, 4, 1], classes: 10 });
    expect([...trainset.labels]).toEqual([7, 0, 9]);
    expect([...testset.labels]).toEqual([1, 2]);
    // Plato's normalisation, in single precision.
    const inputs = trainset.batch([0, 2]).inputs;
    expect(inputs[0]).toBe(-0.4242129623889923);
    expect(inputs[16]).toBeCloseTo((2 / 255 - 0.1307) / 0.3081, 6);
  });

  test.each<[string, (files: Map<string, Buffer>) => void, RegExp]>([
    [
      "images that end too early",
      (files) => files.set("train-images-idx3-ubyte", idxImages(3).subarray(0, 60)),
      /train-images-idx3-ubyte, byte 60: the content ends here\. Expected 64 bytes, for its header says 3 x 4 x 4/,
    ],
    [
      "bytes behind the images",
      (files) => files.set("train-images-idx3-ubyte", Buffer.concat([idxImages(3), Buffer.alloc(2)])),
      /byte 64: 2 bytes too many\. Expected 64 bytes/,
    ],
    [
      "labels in the place of images",
      (files) => files.set("train-images-idx3-ubyte", idxLabels([1, 2, 3])),
      /byte 0: the magic number is 2049, that of labels\. Expected 2051, that of images/,
    ],
    [
      "images in the place of labels",
      (files) => files.set("t10k-labels-idx1-ubyte", idxImages(2)),
      /t10k-labels-idx1-ubyte, byte 0: the magic number is 2051, that of images/,
    ],
    [
      "another file",
      (files) => files.set("train-labels-idx1-ubyte", Buffer.from("<html>not found</html>")),
      /byte 0: the magic number is \d+\. Expected 2049/,
    ],
    [
      "an empty file",
      (files) => files.set("train-labels-idx1-ubyte", Buffer.alloc(0)),
      /byte 0: the file has 0 bytes/,
    ],
    [
      "a header that ends too early",
      (files) => files.set("train-images-idx3-ubyte", idxImages(3).subarray(0, 10)),
      /byte 10: the file ends within its header of 16 bytes/,
    ],
    [
      "a label that is none",
      (files) => files.set("train-labels-idx1-ubyte", idxLabels([7, 10, 9])),
      /train-labels-idx1-ubyte, byte 9: row 1 has the label 10\. Expected labels from 0 to 9/,
    ],
    [
      "fewer labels than images",
      (files) => files.set("train-labels-idx1-ubyte", idxLabels([7, 1])),
      /byte 4: 2 labels\. Expected one for each of the 3 images/,
    ],
    [
      "a gzip file that was cut",
      (files) => files.set("train-images-idx3-ubyte", gzipSync(idxImages(3)).subarray(0, 20)),
      /it is gzipped, but its 20 bytes are damaged after \d+ bytes of content/,
    ],
    [
      "a gzip file with a damaged byte",
      (files) => {
        const packed = gzipSync(idxImages(3));
        packed[packed.length - 6]! ^= 1;
        files.set("train-images-idx3-ubyte", packed);
      },
      /are damaged after \d+ bytes of content/,
    ],
    [
      "no images",
      (files) => files.set("train-images-idx3-ubyte", idxImages(0)),
      /byte 4: size 1 is 0\. Expected at least one/,
    ],
  ])("says what is wrong with %s", async (_, spoil, message) => {
    const files = mnistFiles();
    spoil(files);
    await expect(load(folderWith(files))).rejects.toMatchObject({
      code: "DATA_INVALID",
      message: expect.stringMatching(message),
      details: { path: ["data", "datasource"] },
    });
  });

  test("says where it was looked for", async () => {
    const folder = folderWith([]);
    await expect(load(folder)).rejects.toMatchObject({
      message: expect.stringMatching(
        /MNIST needs train-images-idx3-ubyte\.gz or train-images-idx3-ubyte or .*, which is in none of .*MNIST\/raw.*HF_HUB_OFFLINE.*data\.mirrors/s,
      ),
      details: { path: ["data", "data_path"] },
    });
  });
});

describe("EMNIST", () => {
  const splitFiles = (split: string, labels: [number[], number[]]) =>
    new Map([
      [`emnist-${split}-train-images-idx3-ubyte`, idxImages(labels[0].length)],
      [`emnist-${split}-train-labels-idx1-ubyte`, idxLabels(labels[0])],
      [`emnist-${split}-test-images-idx3-ubyte`, idxImages(labels[1].length)],
      [`emnist-${split}-test-labels-idx1-ubyte`, idxLabels(labels[1])],
    ]);

  test("is Plato's balanced split unless another is named", async () => {
    const folder = folderWith(splitFiles("balanced", [[0, 46], [12]]));
    const { trainset } = await load(folder, "EMNIST");
    expect(trainset.classes).toBe(47);
    // (0 - 0.5) / 0.5 and (1/255 - 0.5) / 0.5.
    expect(trainset.batch([0]).inputs[0]).toBe(-1);
    expect(trainset.batch([1]).inputs[0]).toBeCloseTo(2 / 255 - 1, 6);
  });

  test("counts letters from 1, which become classes from 0", async () => {
    const folder = folderWith(gzipped(splitFiles("letters", [[1, 26], [3]])), "EMNIST/raw");
    const { trainset } = await load(folder, "EMNIST", { split: "letters" });
    expect([...trainset.labels]).toEqual([0, 25]);
    expect(trainset.classes).toBe(26);
    const wrong = folderWith(splitFiles("letters", [[0, 26], [3]]));
    await expect(load(wrong, "EMNIST", { split: "letters" })).rejects.toThrow(
      /label 0\. Expected labels from 1 to 26/,
    );
  });

  test("comes out of the archive that holds all splits", async () => {
    const files = gzipped(splitFiles("digits", [[1, 9], [3]])).map(([name, content]) => ({
      name: `gzip/${name}`,
      content,
    }));
    const folder = folderWith([["gzip.zip", zipArchive(files)]]);
    expect((await load(folder, "EMNIST", { split: "digits" })).trainset.length).toBe(2);
    await expect(load(folder, "EMNIST", { split: "mnist" })).rejects.toThrow(
      /has no emnist-mnist-train-images/,
    );
  });
});
