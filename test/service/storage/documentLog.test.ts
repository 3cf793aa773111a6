import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { AppendLog } from "../../../src/service/storage/embedded/appendLog.js";
import { DocumentLog } from "../../../src/service/storage/embedded/documentLog.js";
import { temporaryFolder } from "../../support/temporaryFolder.js";

const folder = temporaryFolder("document-log");
/** A quarter of the length at which a log is replaced. */
const LARGE = "x".repeat(1 << 18);

describe("the documents of a kind in files", () => {
  it("stay what they are while their log is replaced by short ones, under several writers", async () => {
    const own = join(folder, "replaced");
    const logs = [new DocumentLog("k", own), new DocumentLog("k", own), new DocumentLog("k", own)];
    await logs[0]!.create("first", { n: 0 });
    await logs[1]!.create("counter", { n: 0, LARGE });
    await logs[2]!.create("last", {});
    const add = async (log: DocumentLog) => {
      for (let left = 12; left > 0; ) {
        const found = (await log.get("counter"))!;
        if (await log.replace("counter", found.version, { n: Number(found.value.n) + 1, LARGE })) left--;
      }
    };
    await Promise.all(logs.map(add));
    const late = new DocumentLog("k", own);
    for (const log of [...logs, late]) {
      expect(await log.get("counter")).toMatchObject({ version: 37, value: { n: 36 } });
      expect((await log.list()).map(({ id }) => id)).toEqual(["first", "counter", "last"]);
    }
    // Some 38 documents of 256 KiB were written; a log is replaced when it holds more than four.
    expect(Math.max(...generations(own))).toBeGreaterThanOrEqual(5);
  });

  it("are found by whoever comes late, although the logs that it knew are gone", async () => {
    const own = join(folder, "removed");
    const [busy, late] = [new DocumentLog("k", own, { kept: 0 }), new DocumentLog("k", own, { kept: 0 })];
    await late.create("a", { n: 0 });
    const grow = async (times: number) => {
      for (let left = times; left > 0; left--) {
        const { version, value } = (await busy.get("a"))!;
        await busy.replace("a", version, { n: Number(value.n) + 1, LARGE });
      }
    };
    await grow(20);
    expect(generations(own)).toHaveLength(2);
    expect(Math.min(...generations(own))).toBeGreaterThan(1);
    expect(await late.get("a")).toMatchObject({ version: 21, value: { n: 20 } });
    await grow(20);
    expect(await late.replace("a", 21, { n: -1 })).toBeUndefined();
    expect(await late.create("b", {})).toMatchObject({ version: 1 });
    expect(await busy.get("b")).toBeDefined();
    expect(await busy.get("a")).toMatchObject({ version: 41 });
  });

  it("go on where a process was killed between the end of one log and the next", async () => {
    const own = join(folder, "sealed");
    const [one, two] = [new DocumentLog("k", own), new DocumentLog("k", own)];
    await one.create("a", { n: 1 });
    await one.create("b", {});
    await one.remove("b");
    await two.get("a");
    await new AppendLog(join(own, "0.log")).append([
      { head: "seal", body: '{"do":"seal"}' },
      { head: "late", body: '{"do":"replace","id":"a","version":1,"value":{"n":9}}' },
    ]);
    expect(await two.replace("a", 1, { n: 2 })).toMatchObject({ version: 2 });
    expect(await one.get("a")).toMatchObject({ version: 2, value: { n: 2 } });
    expect(await one.get("b")).toBeUndefined();
    expect(readdirSync(own).sort()).toEqual(["0.log", "1.log"]);
    expect(await new DocumentLog("k", own).list()).toHaveLength(1);
  });

  it("cannot be changed by whoever has read them", async () => {
    const log = new DocumentLog("k", join(folder, "frozen"));
    await log.create("a", { list: [1] });
    const { value } = (await log.get("a"))!;
    expect(() => (value.list as number[]).push(2)).toThrow(TypeError);
    expect((await log.get("a"))?.value).toEqual({ list: [1] });
  });

  it("tells that a newer version has written what it does not know", async () => {
    const own = join(folder, "newer");
    await new AppendLog(join(own, "0.log")).append([{ head: "x", body: '{"do":"merge","id":"a"}' }]);
    await expect(new DocumentLog("k", own).get("a")).rejects.toThrow("does not know");
  });
});

function generations(own: string): number[] {
  return readdirSync(own).map((name) => Number.parseInt(name, 10));
}
