import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { silentLogger, systemClock } from "../../../src/base/index.js";
import { loadDatasource } from "../../../src/data/index.js";
import { vectorRows } from "../../../src/data/tables/vectorRows.js";
import { temporaryFolder } from "../../support/temporaryFolder.js";
import { dataTable } from "../dataTable.js";

const root = temporaryFolder("vectors");
const hub = {
  settings: { endpoint: "http://hub.invalid", offline: true, cacheFolder: root },
  logger: silentLogger,
  clock: systemClock,
};
const load = (dataPath: string, datasource: string, keys: object = { train_rows: 6, test_rows: 4 }) =>
  loadDatasource(dataTable({ datasource, ...keys }), dataPath, { hub });
function folderWith(files: Record<string, string>): string {
  const folder = mkdtempSync(join(root, "data-"));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(folder, name, ".."), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}
/** Ten customers of styles 1 to 10; customer n bought thing n alone. */
const bought = (row: number, width: number) =>
  Array.from({ length: width }, (_, thing) => Number(thing === row)).join(",");
const customers = Array.from({ length: 10 }, (_, row) => `${row + 1},${bought(row, 600)}`).join("\n");
const SHUFFLED = [2, 8, 4, 9, 1, 6, 7, 3, 0, 5];

describe("Purchase", () => {
  test("is shuffled as Plato does, and its styles are classes from 0", async () => {
    const { trainset, testset } = await load(folderWith({ dataset_purchase: customers }), "Purchase");
    expect(trainset).toMatchObject({ length: 6, inputShape: [600], classes: 100 });
    expect([...trainset.labels, ...testset.labels]).toEqual(SHUFFLED);
    const { inputs } = testset.batch([2]);
    expect([...inputs.keys()].filter((thing) => inputs[thing] === 1)).toEqual([0]);
  });

  test("comes out of the published archive too", async () => {
    const content = folderWith({ dataset_purchase: customers });
    const folder = mkdtempSync(join(root, "packed-"));
    execFileSync("tar", ["-czf", join(folder, "dataset_purchase.tgz"), "-C", content, "dataset_purchase"]);
    expect([...(await load(folder, "Purchase")).trainset.labels]).toEqual(SHUFFLED.slice(0, 6));
  });

  test.each([
    [
      "a line of another length",
      customers.replace(/,0$/m, ""),
      /line 1, byte \d+: 600 numbers\. Expected 601/,
    ],
    [
      "a style that is none",
      customers.replace(/^3,/m, "101,"),
      /line 3: the label is 101\. Expected 1 to 100/,
    ],
    ["a text", customers.replace("2,", "x,"), /line 2, byte \d+: the byte 120\. Expected digits and commas/],
    ["an end that is missing", customers.slice(0, -4), /line 10, byte \d+: the file ends after 599 numbers/],
  ])("says what is wrong with %s", async (_, content, message) => {
    await expect(load(folderWith({ dataset_purchase: content }), "Purchase")).rejects.toThrow(message);
  });

  test("says how many rows there are where more are asked for, as by default", async () => {
    await expect(load(folderWith({ dataset_purchase: customers }), "Purchase", {})).rejects.toMatchObject({
      code: "DATA_INVALID",
      message:
        "Purchase has 10 rows, but data.train_rows = 20000 and data.test_rows = 20000 ask for 40000. Lower them.",
      details: { path: ["data", "train_rows"] },
    });
  });
});

describe("Texas", () => {
  const files = {
    "texas/100/feats": `${Array.from({ length: 10 }, (_, row) => bought(row, 6169)).join("\n")}\n`,
    "texas/100/labels": `${Array.from({ length: 10 }, (_, row) => row + 1).join("\n")}\n`,
  };

  test("has its procedures in a file of their own", async () => {
    const { trainset } = await load(folderWith(files), "Texas");
    expect(trainset).toMatchObject({ length: 6, inputShape: [6169], classes: 100 });
    expect([...trainset.labels]).toEqual(SHUFFLED.slice(0, 6));
    expect(trainset.batch([0]).inputs[2]).toBe(1);
  });

  test("says that one is short", async () => {
    const short = { ...files, "texas/100/labels": "1\n2\n" };
    await expect(load(folderWith(short), "Texas")).rejects.toThrow(/2 labels for 10 feats/);
  });
});

describe("lines of numbers", () => {
  const rows = async (pieces: string[], width: number) => {
    const found: number[][] = [];
    const bytes = (async function* () {
      for (const piece of pieces) yield Buffer.from(piece);
    })();
    for await (const row of vectorRows(bytes, "file", width)) found.push([...row]);
    return found;
  };

  test("may be cut anywhere between pieces, end as on Windows and end without a line end", async () => {
    const whole = [
      [1, 23, 255],
      [0, 0, 7],
    ];
    const text = "1,23, 255\r\n\n0,0,7";
    for (let cut = 0; cut <= text.length; cut++) {
      expect(await rows([text.slice(0, cut), text.slice(cut)], 3)).toEqual(whole);
    }
  });

  test.each([
    ["1,,2", /a number is missing/],
    ["1,2,3,4", /more than 3 numbers/],
    ["1,256,3", /the number 256/],
  ])("are refused: %j", async (text, message) => {
    await expect(rows([text], 3)).rejects.toThrow(message);
  });
});
