import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadDigits } from "../../src/data/digits.js";
import { loadDatasource } from "../../src/data/index.js";
import { dataTable } from "./dataTable.js";

const shipped = new URL("../../assets/digits.csv.gz", import.meta.url);

describe("the digits", () => {
  test("are 1,437 rows to train on and 360 to test on", async () => {
    const { trainset, testset } = await loadDatasource(dataTable({ datasource: "digits" }), "nowhere");
    expect([trainset.length, testset.length]).toEqual([1437, 360]);
    for (const set of [trainset, testset]) {
      expect(set.inputShape).toEqual([28, 28, 1]);
      expect(set.classes).toBe(10);
    }
  });

  test("keep the labels of the file: it begins 0, 1, 2 and ends 9, 0, 8, 9, 8", async () => {
    const { trainset, testset } = await loadDigits();
    expect([...trainset.labels.slice(0, 3)]).toEqual([0, 1, 2]);
    expect([...testset.labels.slice(-5)]).toEqual([9, 0, 8, 9, 8]);
  });

  test("are enlarged and scaled to between 0 and 1", async () => {
    const { trainset } = await loadDigits();
    const { inputs } = trainset.batch([0]);
    const at = (row: number, column: number) => inputs[row * 28 + column];
    // The first image begins 0 0 5 13 ... / 0 0 13 15 ...; target 10 lies half way between pixels 2 and 3,
    // target 3 half way between pixels 0 and 1, target 0 on pixel 0.
    expect(at(0, 10)).toBe((5 + 13) / 2 / 16);
    expect(at(3, 10)).toBe((5 + 13 + 13 + 15) / 4 / 16);
    expect(at(0, 0)).toBe(0);
    expect(Math.max(...inputs)).toBeLessThanOrEqual(1);
  });
});

describe("a damaged file of digits", () => {
  let folder: string;
  let lines: string[];
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "elenchus-digits-"));
    lines = gunzipSync(await readFile(shipped))
      .toString()
      .trimEnd()
      .split("\n");
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const load = async (content: Uint8Array) => {
    const file = join(folder, "digits.csv.gz");
    await writeFile(file, content);
    return loadDigits(file);
  };
  const zip = (changed: string[]) => gzipSync(`${changed.join("\n")}\n`);

  test("is refused when it is cut short", async () => {
    await expect(load((await readFile(shipped)).subarray(0, 5000))).rejects.toMatchObject({
      code: "DATA_INVALID",
      message: expect.stringContaining("digits.csv.gz cannot be read"),
    });
  });

  test.each<[string, (rows: string[]) => string[], RegExp]>([
    [
      "a pixel above 16",
      (rows) => rows.with(41, rows[41]!.replace(/^\d+/, "17")),
      /line 42: value 1 is "17"/,
    ],
    [
      "a pixel that is no number",
      (rows) => rows.with(6, rows[6]!.replace(/^\d+/, "x")),
      /line 7: value 1 is "x"/,
    ],
    ["an empty cell", (rows) => rows.with(6, rows[6]!.replace(/^\d+/, "")), /line 7: value 1 is ""/],
    ["a class above 9", (rows) => rows.with(0, rows[0]!.replace(/\d+$/, "10")), /line 1: value 65 is "10"/],
    ["a short line", (rows) => rows.with(99, "1,2,3"), /line 100: 3 values; expected 64 pixels and a class/],
    ["a missing row", (rows) => rows.slice(0, -1), /line 1796: the last of 1796 rows; expected 1797/],
  ])("is refused by line for %s", async (_, damage, message) => {
    await expect(load(zip(damage(lines)))).rejects.toMatchObject({
      code: "DATA_INVALID",
      message: expect.stringMatching(message),
    });
  });

  test("is refused when it does not exist", async () => {
    await expect(loadDigits(join(folder, "absent"))).rejects.toMatchObject({ code: "DATA_INVALID" });
  });
});
