import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { silentLogger, systemClock } from "../../../src/base/index.js";
import { loadDataset } from "../../../src/data/index.js";
import { splitFiles } from "../../../src/data/text/splitFiles.js";
import { parseSplit, rowsNeeded, sliceRows } from "../../../src/data/text/splitSlice.js";
import { readTable } from "../../../src/data/text/tableFile.js";
import { hubSettings } from "../../../src/hub/index.js";

const CHATS = fileURLToPath(new URL("../fixtures/chats.parquet", import.meta.url));

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "dataset-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function write(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(folder, name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
  return path;
}

const numbers = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => `{"n": ${from + index}}\n`).join("");

describe("a split", () => {
  test.each([
    ["train", undefined, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]],
    ["train[:3]", 3, [0, 1, 2]],
    ["train[4:6]", 6, [4, 5]],
    ["train[8:]", undefined, [8, 9]],
    ["train[-2:]", undefined, [8, 9]],
    ["train[:-7]", undefined, [0, 1, 2]],
    ["train[:25%]", undefined, [0, 1, 2]],
    ["train[90%:]", undefined, [9]],
    ["train[:]", undefined, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]],
  ])("%s needs %s rows", (text, needed, rows) => {
    const slice = parseSplit(text);
    expect(slice.name).toBe("train");
    expect(rowsNeeded(slice)).toBe(needed);
    expect(sliceRows([0, 1, 2, 3, 4, 5, 6, 7, 8, 9].slice(0, needed), slice)).toEqual(rows);
  });

  test.each(["", "train[3]", "train[:x]", "train+test", "train[:3"])("is never %j", (text) => {
    expect(() => parseSplit(text)).toThrow(expect.objectContaining({ code: "DATA_INVALID" }));
  });
});

describe("the files of a split", () => {
  const find = (names: string[], split: string, config?: string) =>
    splitFiles(names, { data: "it", split, config });

  test("bear its name between borders", () => {
    const names = [
      "README.md",
      "data/train-00001-of-00002.parquet",
      "data/train-00000-of-00002.parquet",
      "data/test-00000-of-00001.parquet",
      "data/constrained.parquet",
    ];
    expect(find(names, "train")).toEqual([
      "data/train-00000-of-00002.parquet",
      "data/train-00001-of-00002.parquet",
    ]);
    expect(find(names, "test")).toEqual(["data/test-00000-of-00001.parquet"]);
    expect(find(["train.jsonl", "dev.jsonl"], "validation")).toEqual(["dev.jsonl"]);
    expect(find(["data/train_sft-0.parquet", "data/train_gen-0.parquet"], "train_sft")).toEqual([
      "data/train_sft-0.parquet",
    ]);
  });

  test("are those called just so, where others only bear its name too", () => {
    const names = [
      "data/train-00000-of-00001-0a1b2c3d4e5f6789.parquet",
      "data/train_gen-00000-of-00001.parquet",
    ];
    expect(find(names, "train")).toEqual([names[0]]);
    expect(find(["train_sft.jsonl", "test_sft.jsonl"], "train")).toEqual(["train_sft.jsonl"]);
  });

  test("are all of them where no name tells", () => {
    expect(find(["a.jsonl", "b.jsonl", "dataset_info.json"], "train")).toEqual(["a.jsonl", "b.jsonl"]);
  });

  test("are those of one configuration and one format", () => {
    const names = ["en/train.csv", "en/train.parquet", "de/train.csv", "main_test.jsonl"];
    expect(find(names, "train", "en")).toEqual(["en/train.parquet"]);
    expect(find(names, "train", "de")).toEqual(["de/train.csv"]);
    expect(find(names, "test", "main")).toEqual(["main_test.jsonl"]);
    expect(find(["x/train/0.parquet", "x/test/0.parquet"], "test")).toEqual(["x/test/0.parquet"]);
    expect(find(["train.csv"], "train", "default")).toEqual(["train.csv"]);
  });

  test.each([
    [["README.md"], "train", undefined, "no table among its 1 files"],
    [["en/train.csv", "de/train.csv"], "train", undefined, "data.dataset_config to be one of de, en"],
    [["en/train.csv"], "train", "fr", 'no file of it belongs to the configuration "fr"'],
    [["train.csv", "test.csv"], "validation", undefined, "Expected one of test.csv, train.csv"],
  ])("of %j %s are refused", (names, split, config, message) => {
    expect(() => find(names, split, config)).toThrow(
      expect.objectContaining({ code: "DATA_INVALID", message: expect.stringContaining(message) }),
    );
  });
});

describe("a table", () => {
  test("of parquet, as Apache Arrow writes it, gives its rows with their places", async () => {
    const rows = await readTable(CHATS);
    expect(rows).toHaveLength(12);
    expect(rows[7]).toEqual({
      place: `${CHATS}, row 7`,
      row: {
        id: 7,
        speaker: "bob",
        messages: [
          { role: "user", content: "What is 7 plus one?" },
          { role: "assistant", content: "It is 8." },
        ],
        note: "note 7 note 7 note 7 note 7 ",
      },
    });
    expect((await readTable(CHATS, { rows: 1, columns: ["speaker"] })).map(({ row }) => row)).toEqual([
      { speaker: "ann" },
    ]);
  });

  test("of parquet is not read beyond the first rows asked for; damage behind them is found by who reads on", async () => {
    const bytes = await readFile(CHATS);
    // The last row group's data ends where the footer begins: its length stands before the last four bytes.
    const footer = bytes.readUInt32LE(bytes.length - 8);
    bytes.fill(0xff, bytes.length - 8 - footer - 300, bytes.length - 8 - footer);
    const damaged = await write("damaged.parquet", bytes);
    expect(await readTable(damaged, { rows: 4 })).toHaveLength(4);
    await expect(readTable(damaged)).rejects.toMatchObject({
      code: "DATA_INVALID",
      message: expect.stringMatching(/damaged\.parquet, row group 2 \(rows 8 to 11\) cannot be read/),
    });
  });

  test("of lines or cells is left where its rows suffice", async () => {
    const torn = await write("torn.jsonl", `\uFEFF${numbers(0, 3)}{"n": `);
    expect((await readTable(torn, { rows: 3 })).map(({ row }) => row.n)).toEqual([0, 1, 2]);
    expect(await readTable(torn, { rows: 0 })).toEqual([]);
    const cells = await write("cells.csv", "n\n0\n1\n2,too many\n");
    expect((await readTable(cells, { rows: 2 })).map(({ row }) => row.n)).toEqual(["0", "1"]);
    const array = await write("array.json", '[{"n": 0}, {"n": 1}]');
    expect(await readTable(array, { rows: 1 })).toEqual([{ row: { n: 0 }, place: `${array}, row 0` }]);
    const lines = await write("lines.json", numbers(0, 2));
    expect(await readTable(lines)).toHaveLength(2);
  });

  test("of another kind is refused", async () => {
    await expect(readTable(join(folder, "x.arrow"))).rejects.toMatchObject({ code: "INPUT_UNREADABLE" });
    await expect(readTable(join(folder, "gone.jsonl"))).rejects.toMatchObject({ code: "DATA_INVALID" });
  });
});

describe("a data set", () => {
  test("is read shard after shard, no more than the part needs", async () => {
    await write("shards/train-0.jsonl", numbers(0, 3));
    await write("shards/train-1.jsonl", numbers(3, 6));
    await write("shards/train-2.jsonl", "not JSON");
    const name = join(folder, "shards");
    const { rows, places } = await loadDataset({ name, split: "train[2:5]" });
    expect(rows.map(({ n }) => n)).toEqual([2, 3, 4]);
    expect(places).toEqual([`${name}/train-0.jsonl:3`, `${name}/train-1.jsonl:1`, `${name}/train-1.jsonl:2`]);
    await expect(loadDataset({ name })).rejects.toMatchObject({
      message: expect.stringContaining("train-2.jsonl:1"),
    });
  });

  test("comes from a hub with only the files that it needs", async () => {
    const files: Record<string, Buffer> = {
      "data/train-0.parquet": await readFile(CHATS),
      "data/train-1.parquet": Buffer.from("never fetched"),
      "data/test-0.parquet": Buffer.from("never fetched"),
    };
    const commit = "0123456789012345678901234567890123456789";
    const asked: string[] = [];
    const fetch = async (address: string | URL | Request) => {
      const { pathname } = new URL(String(address));
      asked.push(pathname);
      const name = Object.keys(files).find((file) => pathname.endsWith(file));
      if (name !== undefined) return new Response(new Uint8Array(files[name]!));
      const siblings = Object.entries(files).map(([rfilename, bytes]) => ({
        rfilename,
        size: bytes.length,
        blobId: createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex"),
      }));
      return Response.json({ sha: commit, siblings });
    };
    const environment = {
      settings: hubSettings({}, { endpoint: "http://hub.invalid", cacheFolder: join(folder, "cache") }),
      logger: silentLogger,
      clock: systemClock,
      fetch: fetch as typeof globalThis.fetch,
    };
    const request = { name: "owner/chats", split: "train[:2]", columns: ["speaker"] };
    const { rows } = await loadDataset(request, environment);
    expect(rows).toEqual([{ speaker: "ann" }, { speaker: "bob" }]);
    expect(asked.filter((path) => path.endsWith(".parquet"))).toEqual([
      expect.stringMatching(/owner\/chats\/.*train-0\.parquet$/),
    ]);

    asked.length = 0;
    const offline = { ...environment, settings: { ...environment.settings, offline: true } };
    expect((await loadDataset(request, offline)).rows).toEqual(rows);
    expect(asked).toEqual([]);
    await expect(loadDataset({ ...request, split: "test" }, offline)).rejects.toMatchObject({
      code: "HUB_NOT_FOUND",
    });
  });
});
