import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  createLogger,
  manualClock,
  namesIn,
  removeLeftovers,
  systemClock,
  withDeadline,
  writeAtomic,
} from "../../src/base/index.js";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "elenchus-files-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe("namesIn", () => {
  it("gives the names in a folder, none of one that is not there, and no others' troubles", async () => {
    await writeFile(join(folder, "a"), "");
    await writeFile(join(folder, "b"), "");
    expect((await namesIn(folder)).sort()).toEqual(["a", "b"]);
    expect(await namesIn(join(folder, "absent"))).toEqual([]);
    await expect(namesIn(join(folder, "a"))).rejects.toMatchObject({ code: "ENOTDIR" });
  });
});

describe("writeAtomic", () => {
  it("replaces a file whole and leaves nothing else behind", async () => {
    const path = join(folder, "a.txt");
    await writeFile(path, "a much longer old content");
    await writeAtomic(path, "new");
    expect(await readFile(path, "utf8")).toBe("new");
    await writeAtomic(path, [new Uint8Array([1, 2]), new Uint8Array([3])]);
    expect([...(await readFile(path))]).toEqual([1, 2, 3]);
    await writeAtomic(
      path,
      (async function* () {
        yield new Uint8Array([4]);
        yield new Uint8Array([5, 6]);
      })(),
    );
    expect([...(await readFile(path))]).toEqual([4, 5, 6]);
    await writeAtomic(path, new Uint8Array([9]));
    expect([...(await readFile(path))]).toEqual([9]);
    expect(await readdir(folder)).toEqual(["a.txt"]);
  });

  it("keeps the old content and cleans up when writing fails", async () => {
    const path = join(folder, "a.txt");
    await writeFile(path, "old");
    const broken = [new Uint8Array([1]), 5 as unknown as Uint8Array];
    await expect(writeAtomic(path, broken)).rejects.toThrow();
    expect(await readFile(path, "utf8")).toBe("old");
    expect(await readdir(folder)).toEqual(["a.txt"]);
  });

  it("replaces nothing when it is exclusive", async () => {
    const path = join(folder, "a.txt");
    await writeAtomic(path, "first", { exclusive: true });
    await expect(writeAtomic(path, "second", { exclusive: true })).rejects.toMatchObject({ code: "EEXIST" });
    expect(await readFile(path, "utf8")).toBe("first");
    expect(await readdir(folder)).toEqual(["a.txt"]);
  });

  it("has its leftovers removed, of one file or of the folder, and nothing else", async () => {
    const names = [".a.txt.0123456789ab.tmp", ".b.csv.ffffffffffff.tmp", ".mine.tmp", "c.0123456789ab.tmp"];
    for (const name of names) await writeFile(join(folder, name), "");
    await removeLeftovers(folder, "a.txt");
    expect((await readdir(folder)).sort()).toEqual(names.slice(1).sort());
    await removeLeftovers(folder);
    expect((await readdir(folder)).sort()).toEqual([".mine.tmp", "c.0123456789ab.tmp"]);
  });
});

describe("withDeadline", () => {
  it("gives the value, passes the error on, or says what took too long", async () => {
    expect(await withDeadline(Promise.resolve(5), 1000, "x")).toBe(5);
    await expect(withDeadline(Promise.reject(new Error("inner")), 1000, "x")).rejects.toThrow("inner");
    await expect(withDeadline(new Promise(() => {}), 20, "The reply")).rejects.toMatchObject({
      code: "DEADLINE_EXCEEDED",
      message: "The reply took longer than 0.02 s.",
    });
    expect(await withDeadline(Promise.resolve(1), Number.MAX_SAFE_INTEGER, "x")).toBe(1);
  });
});

describe("the small things that are passed in", () => {
  it("a logger passes on what its level lets through", () => {
    const lines: string[] = [];
    const logger = createLogger("warn", (line, level) => lines.push(`${level} ${line}`));
    logger.debug("a");
    logger.info("b");
    logger.warn("c");
    logger.error("d");
    expect(lines).toEqual(["warn c", "error d"]);
  });

  it("a manual clock moves when told to, the system's by itself", () => {
    const clock = manualClock(1000);
    clock.advance(250);
    expect([clock.now(), clock.monotonic()]).toEqual([1250, 250]);
    expect(systemClock.now()).toBeGreaterThan(1.7e12);
    expect(systemClock.monotonic()).toBeGreaterThan(0);
  });
});
