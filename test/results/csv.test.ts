import {
  type FileHandle,
  mkdtemp,
  open,
  readdir,
  readFile,
  rename,
  rm,
  truncate,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { hasHeader } from "../../src/results/csvFile.js";
import { cellText, cellValue, ExpandingCsv, readTable, rowObject } from "../../src/results/index.js";

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "elenchus-csv-"));
  path = join(folder, "run.csv");
});
afterEach(() => vi.restoreAllMocks());
afterEach(() => rm(folder, { recursive: true, force: true }));

const cells = (row: Record<string, string>) => new Map(Object.entries(row));
const content = () => readFile(path, "utf8");

describe("cells", () => {
  it("hold numbers so that they parse back to the same double", () => {
    expect([0.1, 1e21, -0, 5e-324, 123456789012345680].map(cellText)).toEqual([
      "0.1",
      "1e+21",
      "-0",
      "5e-324",
      "123456789012345680",
    ]);
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) =>
        Object.is(cellValue(cellText(value)), value),
      ),
    );
  });

  it("are empty for what does not exist", () => {
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY, null, undefined, true, {}, 3n]) {
      expect(cellText(value)).toBe("");
    }
    expect(cellValue("")).toBeNull();
  });

  it("stay text when they do not read as JSON's numbers do", () => {
    for (const text of ["ok", "007", "1e999", "0x10", " 1", "NaN", "Infinity", "+1", ".5", "1."]) {
      expect(cellValue(text)).toBe(text);
    }
    expect(cellValue("0.50")).toBe(0.5);
    expect(cellValue("-12E-1")).toBe(-1.2);
  });
});

describe("a CSV", () => {
  it("starts with its header and grows by rows with line feeds", async () => {
    const csv = await ExpandingCsv.create(path, ["round", "accuracy"]);
    expect(await content()).toBe("round,accuracy\n");
    await csv.append([cells({ round: "1", accuracy: "0.5" })]);
    await csv.append([cells({ accuracy: "0.75" }), cells({ round: "3" })]);
    await csv.append([]);
    await csv.close();
    expect(await content()).toBe("round,accuracy\n1,0.5\n,0.75\n3,\n");
    expect([csv.rows, csv.columns]).toEqual([3, ["round", "accuracy"]]);
  });

  it("takes new columns at the end, pads earlier rows, and leaves their cells byte for byte", async () => {
    const csv = await ExpandingCsv.create(path, ["a"]);
    await csv.append([cells({ a: 'quote " comma , feed \n return \r end' })]);
    await csv.append([cells({ a: "x", b: "1", c: "2" })]);
    await csv.append([cells({ c: "3", d: "4" })]);
    await csv.close();
    expect(await content()).toBe('a,b,c,d\n"quote "" comma , feed \n return \r end",,,\nx,1,2,\n,,3,4\n');
    expect(await readdir(folder)).toEqual(["run.csv"]);
  });

  it("rewrites itself once for any number of new columns, and writes the bytes this costs and no more", async () => {
    const csv = await ExpandingCsv.create(path, ["a"], { sync: false });
    let expected = "a\n".length;
    await csv.append([cells({ a: "1" })]);
    expected += "1\n".length;
    await csv.append([cells({ a: "2", b: "x", c: "y" })]);
    expected += "a,b,c\n1,,\n2,x,y\n".length;
    await csv.append([cells({ b: "é" })]);
    expected += Buffer.byteLength(",é,\n");
    expect(csv.bytesWritten).toBe(expected);
    await csv.close();
  });

  it("keeps the order of appends that nobody waited for", async () => {
    const csv = await ExpandingCsv.create(path, ["a"]);
    await Promise.all([1, 2, 3].map((a) => csv.append([cells({ a: String(a), [`c${a}`]: "" })])));
    await csv.close();
    expect(await content()).toBe("a,c1,c2,c3\n1,,,\n2,,,\n3,,,\n");
  });

  it("copes with rows longer than it reads at once, quotes at every place included", async () => {
    const csv = await ExpandingCsv.create(path, ["a", "b"], { sync: false });
    const long = '"\n'.repeat(40_000);
    await csv.append([cells({ a: long, b: "1" }), cells({ a: "", b: long })]);
    await csv.append([cells({ c: "last" })]);
    await csv.close();
    expect(await readRecords()).toEqual([
      ["a", "b", "c"],
      [long, "1", ""],
      ["", long, ""],
      ["", "", "last"],
    ]);
    const again = await ExpandingCsv.open(path);
    expect(again.rows).toBe(3);
    await again.close();
  });

  it("copes with a header longer than it reads at once", async () => {
    const many = Array.from({ length: 10_000 }, (_, index) => `evaluation_metric_${index}`);
    const csv = await ExpandingCsv.create(path, ["a"], { sync: false });
    await csv.append([cells({ a: "1" })]);
    await csv.append([new Map(many.map((column, index) => [column, String(index)]))]);
    await csv.append([cells({ a: "3", z: "new" })]);
    await csv.close();
    const [header, ...records] = await readRecords();
    expect(header).toEqual(["a", ...many, "z"]);
    expect(records.map((record) => [record[0], record[9_999], record.at(-1)])).toEqual([
      ["1", "", ""],
      ["", "9998", ""],
      ["3", "", "new"],
    ]);
    const again = await ExpandingCsv.open(path);
    expect([again.rows, again.columns.length]).toEqual([3, 10_002]);
    await again.close();
  });

  it("reads back what was written, whatever the cells and whenever columns came", async () => {
    const name = fc.string({ unit: "grapheme", minLength: 1, maxLength: 5 });
    const anyCell = fc.oneof(
      fc.string({ unit: "grapheme", maxLength: 8 }),
      fc.constantFrom('"', "\n", "\r\n", ",", '","', "__proto__", "😀", "\u0000", " "),
    );
    const rows = fc.array(fc.array(fc.tuple(name, anyCell), { maxLength: 4 }), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(rows, fc.nat(6), async (rows, reopenAt) => {
        const written = rows.map((row) => new Map(row));
        await rm(path, { force: true });
        let csv = await ExpandingCsv.create(path, ["first", "second"], { sync: false });
        for (const [index, row] of written.entries()) {
          if (index === reopenAt) {
            await csv.close();
            csv = await ExpandingCsv.open(path, { sync: false });
          }
          await csv.append([row]);
        }
        await csv.close();
        const [header, ...records] = await readRecords();
        expect(header).toEqual([
          ...new Set(["first", "second", ...written.flatMap((row) => [...row.keys()])]),
        ]);
        expect(records).toEqual(written.map((row) => header!.map((column) => row.get(column) ?? "")));
        expect(csv.columns).toEqual(header);
      }),
      { numRuns: 60 },
    );
  });

  it("undoes what it wrote of a row when the disk fails, and goes on when it is well again", async () => {
    const csv = await ExpandingCsv.create(path, ["a"]);
    await csv.append([cells({ a: "1" })]);
    const handle = await open(path);
    const disk = Object.getPrototypeOf(handle) as FileHandle;
    await handle.close();
    vi.spyOn(disk, "datasync").mockRejectedValueOnce(new Error("no space left"));
    await expect(csv.append([cells({ a: "2" })])).rejects.toThrow("no space left");
    vi.spyOn(disk, "sync").mockRejectedValueOnce(new Error("no space left"));
    await expect(csv.append([cells({ a: "2", b: "3" })])).rejects.toThrow("no space left");
    expect(await content()).toBe("a\n1\n");
    expect([csv.rows, csv.columns]).toEqual([1, ["a"]]);
    expect(await readdir(folder)).toEqual(["run.csv"]);
    await csv.append([cells({ a: "2", b: "3" })]);
    await csv.close();
    expect(await content()).toBe("a,b\n1,\n2,3\n");
  });

  it("takes nothing after it was closed", async () => {
    const csv = await ExpandingCsv.create(path, ["a"]);
    await csv.close();
    await expect(csv.append([cells({ a: "2" })])).rejects.toThrow();
    expect(await content()).toBe("a\n");
  });

  it("notices that something else writes to it, and writes nothing", async () => {
    const csv = await ExpandingCsv.create(path, ["a"]);
    const second = await ExpandingCsv.open(path);
    await second.append([cells({ a: "1" })]);
    for (const row of [cells({ a: "2" }), cells({ b: "2" })]) {
      await expect(csv.append([row])).rejects.toMatchObject({ code: "RECORD_CORRUPT" });
    }
    expect(await content()).toBe("a\n1\n");
    await writeFile(join(folder, "copy.csv"), "a\n1\n");
    await rename(join(folder, "copy.csv"), path);
    await expect(second.append([cells({ a: "2" })])).rejects.toThrow("changed it meanwhile");
    await rm(path);
    await expect(second.append([cells({ a: "2" })])).rejects.toThrow("changed it meanwhile");
    await csv.close();
    await second.close();
  });

  it("is not started over one that has a header", async () => {
    await writeFile(path, "a\n1\n");
    await expect(ExpandingCsv.create(path, ["b"])).rejects.toMatchObject({ code: "EEXIST" });
    expect(await content()).toBe("a\n1\n");
    await writeFile(path, "a");
    await (await ExpandingCsv.create(path, ["b"])).close();
    expect(await content()).toBe("b\n");
  });
});

describe("a CSV that is opened again", () => {
  it("goes on where it stood, cut at any byte by a kill", async () => {
    const whole = 'a,b\n1,"x\n""y"\n2,é\n';
    const bytes = Buffer.from(whole);
    const ends = ["a,b\n", 'a,b\n1,"x\n""y"\n', whole].map((text) => Buffer.byteLength(text));
    for (let length = ends[0]!; length <= bytes.length; length++) {
      await writeFile(path, bytes.subarray(0, length));
      const csv = await ExpandingCsv.open(path);
      const kept = ends.filter((end) => end <= length).at(-1)!;
      expect(csv.rows).toBe(ends.indexOf(kept));
      await csv.append([cells({ a: "9" })]);
      await csv.close();
      expect(await content()).toBe(`${bytes.subarray(0, kept).toString()}9,\n`);
    }
  });

  it("removes its own temporary files and nobody else's", async () => {
    await writeFile(path, "a\n");
    await writeFile(join(folder, ".run.csv.0123456789ab.tmp"), "");
    await writeFile(join(folder, ".other.csv.0123456789ab.tmp"), "");
    await (await ExpandingCsv.open(path)).close();
    expect((await readdir(folder)).sort()).toEqual([".other.csv.0123456789ab.tmp", "run.csv"]);
  });

  it("keeps as many rows as asked, and refuses to keep more than there are", async () => {
    await writeFile(path, "a\n1\n2\n3\n");
    await (await ExpandingCsv.open(path, { keep: 2 })).close();
    expect(await content()).toBe("a\n1\n2\n");
    await expect(ExpandingCsv.open(path, { keep: 3 })).rejects.toMatchObject({
      code: "RECORD_CORRUPT",
      message: expect.stringContaining("2 rows where 3"),
    });
    await (await ExpandingCsv.open(path, { keep: 0 })).close();
    expect(await content()).toBe("a\n");
  });

  it("is refused without a whole, sound header", async () => {
    for (const [text, message] of [
      ["", "no header"],
      ["a,b", "no header"],
      ["a,a\n1,2\n", "column twice"],
      ['a,"b"c\n', "not CSV"],
    ]) {
      await writeFile(path, text!);
      await expect(ExpandingCsv.open(path)).rejects.toThrow(message);
    }
  });

  it("exists from its header on", async () => {
    expect(await hasHeader(path)).toBe(false);
    expect(await hasHeader(folder)).toBe(false);
    await writeFile(path, 'a,"b\n');
    expect(await hasHeader(path)).toBe(false);
    await writeFile(path, 'a,"b\n"\n');
    expect(await hasHeader(path)).toBe(true);
  });
});

describe("a CSV that is read", () => {
  it("gives numbers as numbers, empty cells as null, and a name like __proto__ as any other", async () => {
    await writeFile(path, "round,accuracy,status,__proto__\n1,0.5,ok,7\n2,,failed,\n");
    const { columns, rows } = await readTable(path);
    expect(columns).toEqual(["round", "accuracy", "status", "__proto__"]);
    expect(JSON.stringify(rows.map(rowObject))).toBe(
      '[{"round":1,"accuracy":0.5,"status":"ok","__proto__":7},{"round":2,"accuracy":null,"status":"failed","__proto__":null}]',
    );
  });

  it("leaves out a line that is still being written", async () => {
    await writeFile(path, 'a,b\n1,"x\n');
    expect(await readTable(path)).toEqual({ columns: ["a", "b"], rows: [] });
    await truncate(path, 0);
    expect(await readTable(path)).toEqual({ columns: [], rows: [] });
  });

  it("is refused when a row has more or fewer cells than the header", async () => {
    await writeFile(path, "a,b\n1\n");
    await expect(readTable(path)).rejects.toMatchObject({ code: "RECORD_CORRUPT" });
  });
});

async function readRecords(): Promise<string[][]> {
  return parse(await content(), { record_delimiter: "\n", relax_column_count: false });
}
