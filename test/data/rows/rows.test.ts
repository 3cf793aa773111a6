import { readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ArrayDataset } from "../../../src/data/index.js";
import { BlockDataset, type RowFacts } from "../../../src/data/rows/blockDataset.js";
import { keptDatasource } from "../../../src/data/rows/keptDatasource.js";
import { MemoryBlock } from "../../../src/data/rows/rowBlock.js";
import { openRows, rowsFile, type StoredRows } from "../../../src/data/rows/rowsFile.js";
import { temporaryFolder } from "../../support/temporaryFolder.js";
import { datasetSuite } from "../suites/datasetSuite.js";

const folder = temporaryFolder("rows");
let count = 0;
function written(rows: StoredRows): string {
  const file = join(folder, `${count++}.rows`);
  writeFileSync(file, Buffer.concat([...rowsFile(rows)]));
  return file;
}
const inFile = async (rows: StoredRows) => (await openRows(written(rows)))!;
const inMemory = (rows: StoredRows) =>
  new BlockDataset(
    new MemoryBlock(
      rows.numbers,
      rows.inputShape.reduce((all, size) => all * size, 1),
    ),
    rows,
  );

const facts = { inputShape: [2, 1], classes: 3, labels: Int32Array.of(2, 0, 1) };
const bytes: StoredRows = { ...facts, numbers: Uint8Array.of(0, 1, 2, 3, 4, 5) };
const floats: StoredRows = { ...facts, numbers: Float32Array.of(0, 1, 2, 3, 4, 5) };

datasetSuite("of an array", () => new ArrayDataset({ ...facts, inputs: Float32Array.of(0, 1, 2, 3, 4, 5) }));
datasetSuite("of bytes in memory", () => inMemory(bytes));
datasetSuite("of bytes in shared memory", () => {
  const shared = new Uint8Array(new SharedArrayBuffer(6));
  shared.set(bytes.numbers);
  return inMemory({ ...facts, numbers: shared });
});
datasetSuite("of bytes in a file", () => inFile(bytes));
datasetSuite("of numbers in memory", () => inMemory(floats));
datasetSuite("of numbers in a file", () => inFile(floats));

describe("bytes", () => {
  test("become inputs channel by channel as PyTorch normalises them", () => {
    const rows: StoredRows = {
      numbers: Uint8Array.of(0, 255, 102, 51, 0, 255),
      inputShape: [1, 2, 3],
      classes: 1,
      labels: Int32Array.of(0),
      scale: { mean: [0.1307, 0.5, 0], deviation: [0.3081, 0.25, 1] },
    };
    // (b / 255 - mean) / deviation; the first is torch's float32 of (0 - 0.1307) / 0.3081.
    const [first, ...others] = inMemory(rows).batch([0]).inputs;
    expect(first).toBe(-0.4242129623889923);
    expect(others[0]).toBeCloseTo(2, 6);
    expect(others[1]).toBeCloseTo(0.4, 6);
    expect(others[2]).toBeCloseTo((0.2 - 0.1307) / 0.3081, 6);
    expect(others[3]).toBeCloseTo(-2, 6);
    expect(others[4]).toBe(1);
  });
});

describe("a file of rows", () => {
  test("gives back whatever was kept", async () => {
    const any = fc.record({
      rows: fc.integer({ min: 1, max: 12 }),
      width: fc.integer({ min: 1, max: 9 }),
      type: fc.constantFrom("uint8", "float32"),
      regression: fc.boolean(),
      owners: fc.option(fc.array(fc.string(), { minLength: 1, maxLength: 3 }), { nil: undefined }),
      named: fc.option(fc.array(fc.string(), { minLength: 4, maxLength: 4 }), { nil: undefined }),
    });
    await fc.assert(
      fc.asyncProperty(any, async ({ rows, width, type, regression, owners, named }) => {
        const numbers = Array.from({ length: rows * width }, (_, place) => (place * 37) % 256);
        const stored: StoredRows = {
          numbers:
            type === "uint8" ? Uint8Array.from(numbers) : Float32Array.from(numbers, (each) => each / 7),
          inputShape: [width],
          classes: regression ? 0 : 4,
          labels: regression
            ? Float32Array.from({ length: rows }, (_, row) => row / 3)
            : Int32Array.from({ length: rows }, (_, row) => row % 4),
          groups: owners && {
            names: owners,
            of: Int32Array.from({ length: rows }, (_, row) => row % owners.length),
          },
          modalities: owners && [
            { name: "all", places: Int32Array.from({ length: width }, (_, place) => place) },
          ],
          classNames: named,
        };
        const all = Array.from({ length: rows }, (_, row) => row);
        const [kept, held] = [await inFile(stored), inMemory(stored)];
        expect(kept.batch(all)).toEqual(held.batch(all));
        for (const key of [
          "length",
          "inputShape",
          "classes",
          "labels",
          "groups",
          "modalities",
          "classNames",
        ] as const) {
          expect(kept[key]).toEqual(held[key]);
        }
      }),
      { numRuns: 40 },
    );
  });

  test("that was damaged anywhere is none", async () => {
    const whole = readFileSync(written(bytes));
    for (let place = 0; place < whole.length; place += 7) {
      const file = join(folder, "damaged.rows");
      const damaged = Buffer.from(whole);
      damaged[place]! ^= 1;
      writeFileSync(file, damaged);
      expect(await openRows(file)).toBeUndefined();
    }
    for (const length of [0, 5, whole.length - 1]) {
      const file = join(folder, "cut.rows");
      writeFileSync(file, whole.subarray(0, length));
      expect(await openRows(file)).toBeUndefined();
    }
    expect(await openRows(join(folder, "nowhere.rows"))).toBeUndefined();
  });

  test("that is cut while it is in use is an error that says so", async () => {
    const file = written(bytes);
    const dataset = (await openRows(file))!;
    truncateSync(file, 60);
    expect(() => dataset.batch([0])).toThrow(/ends before byte .* where row 0 is/);
  });
});

describe("rows that are kept", () => {
  const large = (first: number): StoredRows => ({
    numbers: new Uint8Array(3 * 2 ** 20).fill(first),
    inputShape: [2 ** 20],
    classes: 1,
    labels: new Int32Array(3),
  });
  const source = join(folder, "source");
  const ask = (key: unknown, make: () => StoredRows, dataPath = join(folder, "kept")) =>
    keptDatasource({ dataPath, name: "large", sources: [source], key }, async () => ({
      train: make(),
      test: make(),
    }));
  const first = async (dataset: { trainset: { batch(rows: number[]): { inputs: Float32Array } } }) =>
    dataset.trainset.batch([2]).inputs[5];

  test("are read once, until their source or what decides them changes", async () => {
    writeFileSync(source, "one");
    let made = 0;
    const make = () => large(++made);
    expect(await first(await ask("a", make))).toBe(2 - 1);
    const before = made;
    expect(await first(await ask("a", make))).toBe(1);
    expect(made).toBe(before);
    await ask("b", make);
    expect(made).toBeGreaterThan(before);
    writeFileSync(source, "two");
    const between = made;
    await ask("a", make);
    expect(made).toBeGreaterThan(between);
    // Both parts of three.
    expect(readdirSync(join(folder, "kept/rows"))).toHaveLength(6);
  });

  test("are held in memory where the folder cannot be written", async () => {
    writeFileSync(join(folder, "no-folder"), "");
    expect(await first(await ask("a", () => large(7), join(folder, "no-folder")))).toBe(7);
  });

  test("are held in memory where they are few", async () => {
    const dataPath = join(folder, "few");
    const { trainset } = await ask("a", () => bytes, dataPath);
    expect(trainset.length).toBe(3);
    expect(() => readdirSync(dataPath)).toThrow();
  });
});

describe("rows that do not fit together", () => {
  test.each<[string, Partial<RowFacts>, RegExp]>([
    ["labels of other number", { labels: Int32Array.of(0) }, /3 rows of 2 numbers for 1 labels/],
    [
      "a label beyond the classes",
      { labels: Int32Array.of(0, 1, 3) },
      /row 2 has the label 3; expected a class from 0 to 2/,
    ],
    ["another shape", { inputShape: [3] }, /for 3 labels and inputs \[3\]/],
  ])("are refused: %s", (_, change, message) => {
    expect(() => new BlockDataset(new MemoryBlock(bytes.numbers, 2), { ...facts, ...change })).toThrow(
      message,
    );
  });
});
