import { mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { loadDatasource, partitioner } from "../../../src/data/index.js";
import { temporaryFolder } from "../../support/temporaryFolder.js";
import { dataTable } from "../dataTable.js";

const root = temporaryFolder("csv");
function load(files: Record<string, string | Buffer>, keys: Record<string, unknown> = {}) {
  const dataPath = mkdtempSync(join(root, "data-"));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(dataPath, name), content);
  const [train_path, test_path] = Object.keys(files);
  const paths = { train_path, ...(test_path !== undefined && { test_path }) };
  return loadDatasource(dataTable({ datasource: "CSV", ...paths, ...keys }), dataPath);
}
const all = (set: { length: number }) => Array.from({ length: set.length }, (_, row) => row);
const inputs = (set: Awaited<ReturnType<typeof load>>["trainset"]) => [...set.batch(all(set)).inputs];

describe("a table", () => {
  test("gives numbers with mean 0 and deviation 1 of the training rows, and those alone", async () => {
    // Trained on 1, 2, 3: mean 2, deviation of the population sqrt(2/3). The test row is far outside.
    const { trainset, testset } = await load({
      "a.csv": "x,y\n1,a\n2,b\n3,a\n",
      "b.csv": "x,y\n102,b\n",
    });
    const deviation = Math.sqrt(2 / 3);
    expect(inputs(trainset)).toEqual([-1 / deviation, 0, 1 / deviation].map(Math.fround));
    expect(inputs(testset)).toEqual([Math.fround(100 / deviation)]);
    expect([...trainset.labels, ...testset.labels]).toEqual([0, 1, 0, 1]);
    expect(trainset).toMatchObject({ classes: 2, inputShape: [1], classNames: ["a", "b"] });
  });

  test("gives categories an input each, by name, and none for one that training has not seen", async () => {
    const { trainset, testset } = await load(
      { "a.csv": "colour,size,y\nred,1,0\nblue,2,1\nred,1,0\n", "b.csv": "colour,size,y\ngreen,2,1\n" },
      { standardise: false, categorical: ["size"] },
    );
    // blue, red; 1, 2.
    expect(inputs(trainset)).toEqual([0, 1, 1, 0, 1, 0, 0, 1, 0, 1, 1, 0]);
    expect(inputs(testset)).toEqual([0, 0, 0, 1]);
  });

  test("takes the mean of the training rows for a number that is missing, and no category", async () => {
    const table = { "a.csv": "x,c,y\n1,red,0\n?,,1\n3,red,1\n", "b.csv": "x,c,y\nNA,blue,1\n" };
    const { trainset, testset } = await load(table, { standardise: false });
    expect(inputs(trainset)).toEqual([1, 1, 2, 0, 3, 1]);
    expect(inputs(testset)).toEqual([2, 0]);
    const dropped = await load(
      { "a.csv": table["a.csv"], "b.csv": "x,c,y\n4,red,1\n" },
      { missing_values: "drop" },
    );
    expect(dropped.trainset.length).toBe(2);
    await expect(load(table, { missing_values: "error" })).rejects.toThrow(/a\.csv:3: x is missing/);
    const own = await load(
      { "a.csv": "x,y\n1,0\n-9,1\n3,1\n", "b.csv": "x,y\n1,0\n" },
      { missing: ["-9"], standardise: false },
    );
    expect(inputs(own.trainset)).toEqual([1, 2, 3]);
  });

  test("gives 0 for a column whose values are all alike", async () => {
    const { trainset } = await load({ "a.csv": "x,z,y\n5,1,0\n5,3,1\n", "b.csv": "x,z,y\n5,1,0\n" });
    expect(inputs(trainset)).toEqual([0, -1, 0, 1]);
  });

  test.each([
    ["the last column unless another is named", {}, [2, 4], [0, 1]],
    ["a column by name", { label: "b" }, [1, 3], [0, 1]],
    ["a column by place", { label: 0 }, [], [0, 1]],
    ["a column from the end", { label: -2 }, [1, 3], [0, 1]],
  ])("takes for label %s", async (_, keys, first, labels) => {
    const { trainset } = await load(
      { "a.csv": "a,b,c\n1,2,x\n3,4,y\n", "b.csv": "a,b,c\n1,2,x\n" },
      { standardise: false, ...keys },
    );
    expect([...trainset.labels]).toEqual(labels);
    if (first.length > 0 && !("label" in keys)) expect(inputs(trainset)).toEqual([1, 2, 3, 4]);
  });

  test("needs no header, and may be gzipped, with tabs, quotes, a byte order mark and empty lines", async () => {
    const { trainset } = await load(
      { "a.tsv.gz": gzipSync('\uFEFF1\t"yes\tindeed"\t10\r\n\r\n2\tno\t9\r\n'), "b.tsv": "1\tno\t9\n" },
      { header: false, standardise: false },
    );
    // 1, no, "yes indeed"; labels in the order of their numbers, 9 before 10.
    expect(inputs(trainset)).toEqual([1, 0, 1, 2, 1, 0]);
    expect(trainset.classNames).toEqual(["9", "10"]);
    expect([...trainset.labels]).toEqual([1, 0]);
  });

  test("may have another delimiter, columns to learn from, and columns to leave out", async () => {
    const files = { "a.csv": "id;a;b;y\nn1;1;2;0\nn2;3;4;1\n", "b.csv": "id;a;b;y\nn1;1;2;0\n" };
    const chosen = await load(files, { delimiter: ";", features: ["b", 1], standardise: false });
    expect(inputs(chosen.trainset)).toEqual([2, 1, 4, 3]);
    const left = await load(files, { delimiter: ";", ignore: ["id"], standardise: false });
    expect(inputs(left.trainset)).toEqual([1, 2, 3, 4]);
  });

  test("has numbers for labels where that is asked for", async () => {
    const { trainset } = await load(
      { "a.csv": "x,y\n1,0.5\n2,1.5\n", "b.csv": "x,y\n1,2\n" },
      { label_type: "number" },
    );
    expect(trainset).toMatchObject({ classes: 0, labels: Float32Array.of(0.5, 1.5) });
  });

  test("says whose its rows are, for the sampler natural", async () => {
    const { trainset } = await load(
      { "a.csv": "who,x,y\nann,1,0\nbob,2,1\nann,3,1\n", "b.csv": "who,x,y\ncid,1,0\n" },
      { owner_field: "who", standardise: false },
    );
    expect(trainset.groups).toEqual({ names: ["ann", "bob"], of: Int32Array.of(0, 1, 0) });
    expect(inputs(trainset)).toEqual([1, 2, 3]);
    const setting = { clients: { total_clients: 2 }, data: dataTable({ sampler: "natural" }) };
    expect([...partitioner(setting, trainset)(1).indices]).toEqual([0, 2]);
  });

  test("has modalities of columns, categories and all", async () => {
    const { trainset } = await load(
      { "a.csv": "a,b,c,y\n1,red,3,0\n2,blue,4,1\n", "b.csv": "a,b,c,y\n1,red,3,0\n" },
      { modalities: { seen: ["b"], told: ["c", "a"] }, standardise: false },
    );
    expect(trainset.modalities).toEqual([
      { name: "seen", places: Int32Array.of(1, 2) },
      { name: "told", places: Int32Array.of(3, 0) },
    ]);
  });
});

describe("a table that is split by the seed", () => {
  const rows = Array.from({ length: 50 }, (_, row) => `${row},${row % 3}`).join("\n");
  const split = (keys: object) => load({ "a.csv": `x,y\n${rows}\n` }, { standardise: false, ...keys });

  test("gives every row to one of the parts, in the order of the file", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer(),
        fc.double({ min: 0.01, max: 0.99, noNaN: true }),
        async (random_seed, fraction) => {
          const { trainset, testset } = await split({ random_seed, validation_fraction: fraction });
          expect(testset.length).toBe(Math.min(Math.max(Math.round(50 * fraction), 1), 49));
          const [train, held] = [inputs(trainset), inputs(testset)];
          expect(train).toEqual([...train].sort((a, b) => a - b));
          expect([...train, ...held].sort((a, b) => a - b)).toEqual(
            Array.from({ length: 50 }, (_, row) => row),
          );
        },
      ),
      { numRuns: 15 },
    );
  });

  test("gives the same parts again, and others with another seed", async () => {
    const held = async (random_seed: number) => inputs((await split({ random_seed })).testset);
    expect(await held(3)).toEqual(await held(3));
    expect(await held(3)).not.toEqual(await held(4));
    expect(await held(3)).toHaveLength(10);
  });

  test("standardises by the training rows", async () => {
    const { trainset, testset } = await split({ standardise: true });
    const train = inputs(trainset);
    const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
    expect(mean(train)).toBeCloseTo(0, 5);
    expect(mean(train.map((value) => value ** 2))).toBeCloseTo(1, 5);
    expect(mean(inputs(testset))).not.toBeCloseTo(0, 3);
  });
});

describe("a table that does not fit", () => {
  const good = "a,b,y\n1,2,0\n3,4,1\n";
  test.each<[string, Record<string, string | Buffer>, Record<string, unknown>, RegExp, string]>([
    [
      "a row of another length",
      { "a.csv": "a,b,y\n1,2,0\n1,2\n" },
      {},
      /a\.csv:3: 2 values\. Expected 3/,
      "train_path",
    ],
    [
      "a column named twice",
      { "a.csv": "a,a,y\n1,2,0\n" },
      {},
      /a\.csv:1: the header names "a" twice/,
      "train_path",
    ],
    ["no rows", { "a.csv": "a,b,y\n" }, {}, /a\.csv: it has no rows/, "train_path"],
    ["one row", { "a.csv": "a,b,y\n1,2,3\n" }, {}, /1 row\. Expected two at least/, "train_path"],
    [
      "bytes of another encoding",
      { "a.csv": Buffer.from([0x61, 0x0a, 0xff]) },
      {},
      /from 0 on are no UTF-8/,
      "train_path",
    ],
    ["an open quote", { "a.csv": 'a,b\n"1,2\n' }, {}, /a\.csv: .*[Qq]uote/, "train_path"],
    [
      "a label that there is not",
      { "a.csv": good },
      { label: "z" },
      /data\.label names "z", but the columns are a, b, y/,
      "label",
    ],
    [
      "a label far out",
      { "a.csv": good },
      { label: 3 },
      /data\.label is column 3, but there are 3: 0 to 2/,
      "label",
    ],
    [
      "nothing to learn from",
      { "a.csv": good },
      { ignore: ["a", "b"] },
      /data\.ignore leaves no column/,
      "ignore",
    ],
    [
      "the label to learn from",
      { "a.csv": good },
      { features: ["y"] },
      /names "y", which is the label/,
      "features",
    ],
    [
      "a feature twice",
      { "a.csv": good },
      { features: ["a", 0] },
      /features names a column twice/,
      "features",
    ],
    [
      "a modality short",
      { "a.csv": good },
      { modalities: { one: ["a"] } },
      /modalities has "b" 0 times/,
      "modalities",
    ],
    [
      "a label with no number",
      { "a.csv": "a,y\n1,0.5\n2,high\n" },
      { label_type: "number" },
      /a\.csv:3: the label y is "high"\. Expected a number/,
      "label",
    ],
    [
      "other columns to test on",
      { "a.csv": good, "b.csv": "a,y\n1,0\n" },
      {},
      /b\.csv: its columns are a, y/,
      "test_path",
    ],
    [
      "a class that training has not",
      { "a.csv": good, "b.csv": "a,b,y\n1,2,7\n" },
      {},
      /b\.csv:2: the label y is "7"\. Expected a class of the training rows: 0, 1/,
      "label",
    ],
    [
      "a text where numbers are",
      { "a.csv": good, "b.csv": "a,b,y\n1,x,1\n" },
      {},
      /b\.csv:2: b is "x"\. Expected a number/,
      "train_path",
    ],
    [
      "a missing label",
      { "a.csv": "a,y\n1,0\n2,\n" },
      {},
      /a\.csv:3: y is missing\. Expected a value, or data\.missing_values = "drop"/,
      "missing_values",
    ],
    [
      "too many categories",
      { "a.csv": `a,y\n${Array.from({ length: 1300 }, (_, row) => `name ${row},${row % 2}`).join("\n")}\n` },
      {},
      /the column a has \d+ different texts/,
      "ignore",
    ],
  ])("is refused with its place: %s", async (_, files, keys, message, key) => {
    await expect(load(files, keys)).rejects.toMatchObject({
      code: "DATA_INVALID",
      message: expect.stringMatching(message),
      details: { path: ["data", key] },
    });
  });

  test("is refused where it is not there", async () => {
    const data = dataTable({ datasource: "CSV", train_path: "nowhere.csv" });
    await expect(loadDatasource(data, root)).rejects.toThrow(/data\.train_path = "nowhere\.csv": .*ENOENT/);
    const folder = dataTable({ datasource: "CSV", train_path: "." });
    await expect(loadDatasource(folder, root)).rejects.toThrow(/is no file/);
  });

  test("is refused with both the columns to learn from and those to leave out", async () => {
    await expect(load({ "a.csv": good }, { features: ["a"], ignore: ["b"] })).rejects.toThrow(
      /expected none beside data\.features/,
    );
  });
});
