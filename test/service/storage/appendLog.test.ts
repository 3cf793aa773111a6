import { appendFileSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AppendLog, encoded, type NewRecord } from "../../../src/service/storage/embedded/appendLog.js";
import { temporaryFolder } from "../../support/temporaryFolder.js";

const folder = temporaryFolder("append-log");
let files = 0;

function newPath(): string {
  return join(folder, `${files++}`, "a.log");
}

async function read(log: AppendLog): Promise<{ records: NewRecord[]; forgotten: number }> {
  const records: NewRecord[] = [];
  let forgotten = 0;
  await log.refresh(
    ({ head, body }) => records.push({ head, body: body.toString() }),
    () => forgotten++,
  );
  return { records, forgotten };
}

describe("a log of records", () => {
  it("lays each record between line feeds, behind its checksum", () => {
    // CRC-32 of "a 0\t1" by zlib's crc32 in Python.
    expect(encoded({ head: "a 0", body: "1" }).toString()).toBe("\n6635583d a 0\t1\n");
  });

  it("is read in the order in which it was written, each record once, by whoever reads", async () => {
    const path = newPath();
    const [one, two] = [new AppendLog(path), new AppendLog(path)];
    await Promise.all([one.append([record("a"), record("b")]), one.append([record("c")])]);
    await two.append([record("d")]);
    expect((await read(two)).records).toEqual(["a", "b", "c", "d"].map(record));
    await one.append([record("e")]);
    expect((await read(two)).records).toEqual([record("e")]);
    expect((await read(two)).records).toEqual([]);
    expect((await read(one)).records).toEqual(["a", "b", "c", "d", "e"].map(record));
  });

  it("loses nothing but the torn record, wherever its writer was killed", async () => {
    const heads = fc.stringMatching(/^[a-z0-9 +]{1,6}$/);
    const records = fc.array(fc.record({ head: heads, body: fc.json() }), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(records, records, fc.nat(), async (before, after, place) => {
        const path = newPath();
        await new AppendLog(path).append(before);
        const ends = before.map((_, index) => Buffer.concat(before.slice(0, index + 1).map(encoded)).length);
        const cut = place % (ends.at(-1)! + 1);
        truncateSync(path, cut);
        const reader = new AppendLog(path);
        const whole = before.filter((_, index) => ends[index]! <= cut);
        expect((await read(reader)).records).toEqual(whole);
        await new AppendLog(path).append(after);
        expect((await read(reader)).records).toEqual(after);
        expect((await read(new AppendLog(path))).records).toEqual([...whole, ...after]);
      }),
      { numRuns: 40, seed: 1 },
    );
  });

  it("takes no record whose bytes have changed, and goes on behind it", async () => {
    const path = newPath();
    await new AppendLog(path).append([record("a"), record("b"), record("c")]);
    writeFileSync(path, readFileSync(path, "latin1").replace('b\t"b"', 'b\t"x"'), "latin1");
    appendFileSync(path, "no record\n\n\t\n");
    await new AppendLog(path).append([record("d")]);
    expect((await read(new AppendLog(path))).records).toEqual(["a", "c", "d"].map(record));
  });

  it("reads records of several pieces of a file", async () => {
    const path = newPath();
    const long = { head: "long", body: JSON.stringify("é".repeat(1_500_000)) };
    await new AppendLog(path).append([record("a"), long, record("b")]);
    expect((await read(new AppendLog(path))).records).toEqual([record("a"), long, record("b")]);
  });

  it("starts over when its file was removed, and when it was made again", async () => {
    const path = newPath();
    const log = new AppendLog(path);
    expect(await read(log)).toEqual({ records: [], forgotten: 0 });
    await log.append([record("a")]);
    expect(await read(log)).toEqual({ records: [record("a")], forgotten: 0 });
    rmSync(path);
    await new AppendLog(path).append([record("b"), record("c")]);
    expect(await read(log)).toEqual({ records: [record("b"), record("c")], forgotten: 1 });
    rmSync(join(path, ".."), { recursive: true });
    expect(await read(log)).toEqual({ records: [], forgotten: 1 });
    await log.append([record("d")]);
    expect(await read(log)).toEqual({ records: [record("d")], forgotten: 0 });
  });
});

function record(text: string): NewRecord {
  return { head: text, body: JSON.stringify(text) };
}
