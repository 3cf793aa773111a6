import { readdirSync } from "node:fs";
import { mkdir, mkdtemp, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it, vi } from "vitest";
import { threadedTable } from "../../../src/data/index.js";
import {
  type DatasetDefinition,
  type DatasetSurroundings,
  datasetDefinitionSchema,
  datasetOf,
  datasets,
  definitionOfUri,
  registerDataset,
} from "../../../src/tasks/index.js";
import { temporaryFolder } from "../../support/temporaryFolder.js";
import { workbook } from "../../support/workbook.js";

const base = temporaryFolder("datasets");
const newFolder = () => mkdtemp(join(base, "case-"));

function load(definition: unknown, surroundings?: DatasetSurroundings, limit?: number) {
  const dataset = datasetOf(datasetDefinitionSchema.parse(definition), surroundings);
  const taken = limit === undefined ? undefined : { rows: limit, choose: "first" as const };
  return dataset.load(taken).then((samples) => samples.map(({ data }) => data));
}

const inline = (url: string, more = {}) => load({ type: "custom", identifier: "d", url, ...more });
const base64 = (type: string, content: string | Buffer) =>
  `data:${type};base64,${Buffer.from(content).toString("base64")}`;

const ROWS: DatasetDefinition = {
  type: "rows",
  identifier: "ten",
  rows: Array.from({ length: 10 }, (_, number) => ({ number })),
  rename_columns_map: {},
};

describe("rows of a data set", () => {
  it("are all there, with their count and the name of its class", async () => {
    const dataset = datasetOf(ROWS);
    expect(await dataset.length()).toBe(10);
    expect(dataset.type).toBe("RowsDataset");
    expect(String(dataset)).toBe("RowsDataset(ten)");
    const seen: unknown[] = [];
    for await (const { data } of dataset) seen.push(data.number);
    expect(seen).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it("are the first of them, or a sample that is the same each time, in their order", async () => {
    const dataset = datasetOf(ROWS);
    const numbers = async (limit?: Parameters<typeof dataset.load>[0]) =>
      (await dataset.load(limit)).map(({ data }) => data.number);
    expect(await numbers({ rows: 3, choose: "first" })).toEqual([0, 1, 2]);
    const sample = await numbers({ rows: 4, seed: 7 });
    expect(sample).toHaveLength(4);
    expect(sample).toEqual([...sample].sort());
    expect(await numbers({ rows: 4, seed: 7 })).toEqual(sample);
    const seeds = await Promise.all([1, 2, 3, 4].map((seed) => numbers({ rows: 4, seed })));
    expect(new Set(seeds.map(String)).size).toBeGreaterThan(1);
  });

  it("are all of them where the limit is larger, and no limit sticks", async () => {
    const dataset = datasetOf(ROWS);
    expect(await dataset.load({ rows: 2 })).toHaveLength(2);
    expect(await dataset.load({ rows: 99, choose: "first" })).toHaveLength(10);
    expect(await dataset.load({ rows: 99 })).toHaveLength(10);
    expect(await dataset.load({ rows: 5 })).toHaveLength(5);
    expect(await dataset.load()).toHaveLength(10);
  });

  it("keep their places in the whole", async () => {
    const opened = await datasetOf(ROWS).open({ rows: 3, seed: 1 });
    expect([opened.total, opened.used]).toEqual([10, 3]);
    for await (const { index, sample } of opened.rows()) expect(sample.data.number).toBe(index);
  });

  it("get other column names, which push out columns of that name", async () => {
    const rows = [{ a: 1, b: 2, c: 3 }];
    expect(await load({ type: "rows", identifier: "r", rows, rename_columns_map: { a: "b" } })).toEqual([
      { b: 1, c: 3 },
    ]);
    await expect(
      load({ type: "rows", identifier: "r", rows, rename_columns_map: { d: "e" } }),
    ).rejects.toThrowError(/names d, which no row has. The columns are a, b, c/);
  });
});

describe("a file in a data: URL", () => {
  it("is CSV, JSON lines, a JSON array, TSV or a workbook by its type", async () => {
    const expected = [{ q: "a,b", n: "1" }];
    expect(await inline(base64("text/csv", 'q,n\n"a,b",1\n'))).toEqual(expected);
    expect(await inline("data:text/csv;charset=utf-8,q,n%0A%22a%2Cb%22%2C1")).toEqual(expected);
    expect(await inline("data:,q,n%0Ax,1")).toEqual([{ q: "x", n: "1" }]);
    expect(await inline(base64("text/tab-separated-values", "q\tn\na,b\t1\n"))).toEqual(expected);
    expect(await inline(base64("application/jsonl", '{"q":"a,b","n":"1"}\n'))).toEqual(expected);
    expect(await inline(base64("application/json", '[{"q":"a,b","n":"1"}]'))).toEqual(expected);
    const book = workbook([
      ["q", "n", ""],
      ["a,b", 1, "stray"],
      [null, null, null],
      [" x ", true, null],
    ]);
    const type = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
    expect(await inline(base64(type, book))).toEqual([
      { q: "a,b", n: 1 },
      { q: " x ", n: true },
    ]);
  });

  it("is known by its first bytes where its type says nothing", async () => {
    const octets = "application/octet-stream";
    expect(await inline(base64(octets, '[{"q":1}]'))).toEqual([{ q: 1 }]);
    expect(await inline(base64(octets, '{"q":1}\n{"q":2}'))).toEqual([{ q: 1 }, { q: 2 }]);
    expect(await inline(base64(octets, workbook([["q"], ["x"]])))).toEqual([{ q: "x" }]);
    expect(await inline(base64(octets, "q\nx\n"))).toEqual([{ q: "x" }]);
    expect(await inline(base64("text/csv", gzipSync("q\nx\n")))).toEqual([{ q: "x" }]);
    expect(await inline(base64(octets, "q;r\nx;y\n"), { format: "csv" })).toEqual([{ "q;r": "x;y" }]);
    await expect(inline(base64("text/html", "<html>"))).rejects.toMatchObject({ code: "INPUT_UNREADABLE" });
    await expect(inline(base64(octets, "PAR1 or not"))).rejects.toMatchObject({ code: "DATA_INVALID" });
  });

  it("is refused where it is malformed", async () => {
    for (const url of ["data:text/csv", "data:text/csv;base64,%%%", "data:text/csv;charset=latin1,a"]) {
      await expect(inline(url)).rejects.toMatchObject({ code: "INPUT_UNREADABLE" });
    }
  });

  it("leaves nothing behind on the disk", async () => {
    const folder = await newFolder();
    vi.stubEnv("TMPDIR", folder);
    await inline(base64("text/csv", "q\nx\n"));
    await inline(base64("text/html", "<html>")).catch(() => {});
    vi.unstubAllEnvs();
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe("a file of this machine", () => {
  it("is read where that is allowed, and only below the folder that is", async () => {
    const folder = await newFolder();
    await mkdir(join(folder, "open"));
    await writeFile(join(folder, "secret.csv"), "q\nhidden\n");
    await writeFile(join(folder, "open", "rows.csv"), "q\nx\n");
    await symlink(join(folder, "secret.csv"), join(folder, "open", "link.csv"));
    const within = { files: { folder: join(folder, "open") } };
    const read = (url: string, surroundings?: DatasetSurroundings) =>
      load({ type: "custom", identifier: "d", url }, surroundings);
    expect(await read("rows.csv", within)).toEqual([{ q: "x" }]);
    expect(await read(join(folder, "secret.csv"), { files: "anywhere" })).toEqual([{ q: "hidden" }]);
    for (const url of [
      "../secret.csv",
      join(folder, "secret.csv"),
      "link.csv",
      `file://${folder}/secret.csv`,
    ]) {
      await expect(read(url, within)).rejects.toMatchObject({ code: "ADDRESS_REFUSED" });
    }
    await expect(read("rows.csv")).rejects.toMatchObject({ code: "ADDRESS_REFUSED" });
    await expect(read("ftp://host/rows.csv", { files: "anywhere" })).rejects.toMatchObject({
      code: "ADDRESS_REFUSED",
    });
    await expect(read("absent.csv", within)).rejects.toMatchObject({ code: "INPUT_UNREADABLE" });
  });

  it("stands for a data set of a hub only where folders may be read", async () => {
    const folder = await newFolder();
    await writeFile(join(folder, "test.jsonl"), '{"q":"x"}\n{"q":"y"}\n');
    const definition = {
      type: "huggingface",
      identifier: "d",
      dataset_path: folder,
      dataset_name: null,
      kwargs: { split: "test" },
    };
    expect(await load(definition, { files: "anywhere" })).toEqual([{ q: "x" }, { q: "y" }]);
    expect(await load({ ...definition, kwargs: { split: "test[1:]" } }, { files: "anywhere" })).toEqual([
      { q: "y" },
    ]);
    await expect(load(definition)).rejects.toMatchObject({ code: "ADDRESS_REFUSED" });
  });

  it("is read by a thread where it is large, and the main loop goes on", async () => {
    const folder = await newFolder();
    const path = join(folder, "large.json");
    const rows = Array.from({ length: 6000 }, (_, number) => ({ number, text: "x".repeat(60) }));
    await writeFile(path, JSON.stringify(rows));
    let seen = 0;
    for await (const { row, place } of threadedTable(path)) {
      expect(row.number).toBe(seen);
      if (seen === 0) expect(place).toBe(`${path}, row 0`);
      seen += 1;
    }
    expect(seen).toBe(6000);
    await writeFile(path, `${JSON.stringify(rows).slice(0, -1)},[1]]`);
    const all = async () => {
      for await (const _ of threadedTable(path));
    };
    await expect(all()).rejects.toMatchObject({ code: "DATA_INVALID" });
    await expect(
      (async () => {
        for await (const _ of threadedTable(path, { signal: AbortSignal.abort(new Error("stop")) }));
      })(),
    ).rejects.toThrowError("stop");
  });
});

describe("data sets by name", () => {
  it("come from addresses", () => {
    expect(
      definitionOfUri("s", "huggingface://datasets/llamastack/simpleqa?split=train&split=test"),
    ).toMatchObject({
      type: "huggingface",
      dataset_path: "llamastack/simpleqa",
      kwargs: { split: "train" },
    });
    expect(definitionOfUri("s", "huggingface://datasets/a/b?split=test&name=all")).toMatchObject({
      dataset_path: "a/b",
      kwargs: { split: "test", name: "all" },
    });
    expect(definitionOfUri("s", "https://host/rows.csv")).toMatchObject({ type: "custom" });
    expect(() => definitionOfUri("s", "huggingface://datasets/a/b?shard=1")).toThrowError();
  });

  it("are registered, each once", async () => {
    registerDataset({ ...ROWS, identifier: "registered-ten" });
    expect(() => registerDataset({ ...ROWS, identifier: "registered-ten" })).toThrowError(
      /already registered/,
    );
    expect(await datasets.lookup("registered-ten")({}).length()).toBe(10);
    datasets.unregister("registered-ten");
    expect(() => datasets.lookup("registered-ten")).toThrowError(/No such dataset/);
    expect(datasets.has("llamastack/simpleqa")).toBe(true);
  });
});
