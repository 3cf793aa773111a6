import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JsonObject, JsonValue, Storage, StoredRow } from "../../../src/service/storage/index.js";

/** What the suite needs of an implementation. */
export interface StorageUnderTest {
  /** The same place, opened once more, as another process would. */
  open(): Promise<Storage>;
}

/** What every storage must do, whichever it is. */
export function storageSuite(name: string, under: StorageUnderTest): void {
  describe(`${name} as a storage`, () => {
    let storage: Storage;
    let other: Storage;
    beforeAll(async () => {
      storage = await under.open();
      other = await under.open();
    });
    afterAll(async () => {
      await storage.close();
      await other.close();
    });

    const ids = async (kind: string, options = {}) =>
      (await other.list(kind, options)).map((document) => document.id);
    const rowsOf = async (owner: string, stage: string, options = {}) => {
      const rows: StoredRow[] = [];
      for await (const row of other.rows(owner, stage, options)) rows.push(row);
      return rows;
    };

    it("creates a document once, whoever asks", async () => {
      const made = await storage.create("dataset", "a", { rows: 3 });
      expect(made).toEqual({ kind: "dataset", id: "a", version: 1, value: { rows: 3 } });
      expect(await other.create("dataset", "a", { rows: 4 })).toBeUndefined();
      expect(await other.get("dataset", "a")).toEqual(made);
      expect(await other.get("benchmark", "a")).toBeUndefined();
    });

    it("replaces a document only in the version that was read", async () => {
      await storage.create("job", "swap", { done: 0 });
      expect(await other.replace("job", "swap", 1, { done: 1 })).toMatchObject({ version: 2 });
      expect(await storage.replace("job", "swap", 1, { done: 9 })).toBeUndefined();
      expect(await storage.replace("job", "nowhere", 1, { done: 9 })).toBeUndefined();
      expect(await storage.get("job", "swap")).toMatchObject({ version: 2, value: { done: 1 } });
    });

    it("lets exactly one of many writers win", async () => {
      await storage.create("job", "race", { by: "nobody" });
      const wishes = Array.from({ length: 12 }, (_, writer) =>
        (writer % 2 === 0 ? storage : other).replace("job", "race", 1, { by: String(writer) }),
      );
      const won = (await Promise.all(wishes)).flatMap((document) => document ?? []);
      expect(won).toHaveLength(1);
      expect(await storage.get("job", "race")).toEqual(won[0]);
      expect(await other.get("job", "race")).toEqual(won[0]);
    });

    it("counts what many writers add up without losing one", async () => {
      await storage.create("counter", "all", { n: 0 });
      const add = async (own: Storage) => {
        for (let left = 10; left > 0; ) {
          const found = (await own.get("counter", "all"))!;
          const n = Number(found.value.n) + 1;
          if (await own.replace("counter", "all", found.version, { n })) left--;
        }
      };
      await Promise.all([add(storage), add(other), add(storage)]);
      expect(await other.get("counter", "all")).toMatchObject({ version: 31, value: { n: 30 } });
    });

    it("removes a document, whose id is then free again, at the end of the list", async () => {
      for (const id of ["x", "y"]) await storage.create("batch", id, {});
      expect(await other.remove("batch", "x")).toBe(true);
      expect(await storage.remove("batch", "x")).toBe(false);
      expect(await storage.get("batch", "x")).toBeUndefined();
      expect(await other.create("batch", "x", { again: true })).toMatchObject({ version: 1 });
      expect(await ids("batch")).toEqual(["y", "x"]);
    });

    it("lists in the order of creation, from either end, page by page, and by a field", async () => {
      for (const id of ["m", "c", "z", "a"]) {
        await storage.create("listed", id, { status: id < "d" ? "done" : "open" });
      }
      const found = (await storage.get("listed", "m"))!;
      await storage.replace("listed", "m", found.version, { status: "done" });
      expect(await ids("listed")).toEqual(["m", "c", "z", "a"]);
      expect(await ids("listed", { first: "newest", limit: 2 })).toEqual(["a", "z"]);
      expect(await ids("listed", { first: "newest", after: "z" })).toEqual(["c", "m"]);
      expect(await ids("listed", { after: "c", limit: 1 })).toEqual(["z"]);
      expect(await ids("listed", { after: "unknown" })).toEqual([]);
      expect(await ids("listed", { where: { field: "status", equals: "done" } })).toEqual(["m", "c", "a"]);
      expect(
        await ids("listed", { where: { field: "status", equals: "done" }, after: "m", limit: 1 }),
      ).toEqual(["c"]);
      expect(await ids("listed", { where: { field: "none", equals: "done" } })).toEqual([]);
      const changed = (await storage.get("listed", "c"))!;
      await storage.replace("listed", "c", changed.version, { status: "open" });
      await storage.remove("listed", "a");
      expect(await ids("listed", { where: { field: "status", equals: "done" } })).toEqual(["m"]);
      expect(await ids("listed", { where: { field: "status", equals: "open" } })).toEqual(["c", "z"]);
      expect(await ids("never")).toEqual([]);
    });

    it("keeps the first row that an index was given", async () => {
      expect(await storage.append("job-1", "scored", [row(0, "first"), row(2, "third")])).toBe(2);
      expect(await other.append("job-1", "scored", [row(0, "again"), row(1, "second")])).toBe(1);
      expect(await storage.append("job-1", "scored", [row(5, "six"), row(5, "not six")])).toBe(1);
      expect(await rowsOf("job-1", "scored")).toEqual([
        row(0, "first"),
        row(1, "second"),
        row(2, "third"),
        row(5, "six"),
      ]);
      expect(await storage.append("job-1", "scored", [])).toBe(0);
      expect(await other.count("job-1", "scored")).toBe(4);
      expect(await other.has("job-1", "scored", 1)).toBe(true);
      expect(await other.has("job-1", "scored", 3)).toBe(false);
      expect(await other.has("job-2", "scored", 1)).toBe(false);
    });

    it("stores a row once although many append it at the same time", async () => {
      const indexes = Array.from({ length: 20 }, (_, index) => index);
      const added = await Promise.all(
        [storage, other, storage, other].flatMap((own, writer) =>
          indexes.map((index) => own.append("race", "rows", [row(index, `${writer}`)])),
        ),
      );
      expect(added.reduce((sum, count) => sum + count, 0)).toBe(20);
      const here = [];
      for await (const found of storage.rows("race", "rows")) here.push(found);
      expect(here.map(({ index }) => index)).toEqual(indexes);
      expect(await rowsOf("race", "rows")).toEqual(here);
    });

    it("pushes rows behind the last, each push in one piece", async () => {
      expect(await storage.push("job-1", "log", ["a", "b"])).toBe(0);
      expect(await other.push("job-1", "log", ["c"])).toBe(2);
      expect(await storage.append("job-1", "log", [row(9, "far")])).toBe(1);
      expect(await other.push("job-1", "log", ["d"])).toBe(10);
      expect(await storage.push("job-1", "log", [])).toBe(11);
      const pairs = Array.from({ length: 10 }, (_, pair) =>
        (pair % 2 === 0 ? storage : other).push("job-1", "pairs", [[pair, 0] as JsonValue, [pair, 1]]),
      );
      const firsts = await Promise.all(pairs);
      const pushed = await rowsOf("job-1", "pairs");
      expect(pushed).toHaveLength(20);
      for (const [pair, first] of firsts.entries()) {
        expect([pushed[first]?.row, pushed[first + 1]?.row]).toEqual([
          [pair, 0],
          [pair, 1],
        ]);
      }
    });

    it("reads rows from an index on, and only so many", async () => {
      await storage.append(
        "paged",
        "rows",
        [7, 3, 5, 1, 9].map((index) => row(index, index)),
      );
      expect(await rowsOf("paged", "rows", { from: 4 })).toEqual([row(5, 5), row(7, 7), row(9, 9)]);
      expect(await rowsOf("paged", "rows", { from: 3, limit: 2 })).toEqual([row(3, 3), row(5, 5)]);
      expect(await rowsOf("paged", "rows", { limit: 0 })).toEqual([]);
      expect(await rowsOf("paged", "rows", { from: 10 })).toEqual([]);
    });

    it("streams more rows than it holds at once, of any length", async () => {
      const many = Array.from({ length: 2500 }, (_, index) =>
        row(index, "x".repeat(index % 100 === 7 ? 9000 : 3)),
      );
      const order = [...many.slice(1200), ...many.slice(0, 1200)];
      expect(await storage.append("long", "rows", order)).toBe(2500);
      expect(await rowsOf("long", "rows")).toEqual(many);
      expect(await rowsOf("long", "rows", { from: 900, limit: 1500 })).toEqual(many.slice(900, 2400));
    });

    it("tells the stages of an owner and removes their rows", async () => {
      await storage.append("staged", "scored basic::equality/A", [row(0, 1), row(1, 1)]);
      await storage.append("staged", "generated", [row(0, 1)]);
      await storage.append("staged 2", "generated", [row(0, 1)]);
      expect(await other.stages("staged")).toEqual([
        { stage: "generated", count: 1 },
        { stage: "scored basic::equality/A", count: 2 },
      ]);
      await other.removeRows("staged", "generated");
      expect(await storage.stages("staged")).toEqual([{ stage: "scored basic::equality/A", count: 2 }]);
      expect(await storage.append("staged", "generated", [row(0, "anew")])).toBe(1);
      expect(await rowsOf("staged", "generated")).toEqual([row(0, "anew")]);
      await other.removeRows("staged");
      expect(await storage.stages("staged")).toEqual([]);
      expect(await storage.count("staged", "generated")).toBe(0);
      expect(await storage.stages("staged 2")).toHaveLength(1);
      expect(await storage.stages("nobody")).toEqual([]);
    });

    it("takes any name and any JSON, and gives it back as it was", async () => {
      const names = fc
        .string({ minLength: 1, maxLength: 20, unit: "binary" })
        .filter((text) => !text.includes("\0"));
      const values = fc.jsonValue({ noUnicodeString: false });
      await fc.assert(
        fc.asyncProperty(names, names, values, fc.nat(), async (kind, id, value, index) => {
          const document = JSON.parse(JSON.stringify({ value, [id]: "text\0\ud800" })) as JsonObject;
          await storage.remove(kind, id);
          expect((await storage.create(kind, id, document))?.value).toEqual(document);
          const read = (await other.get(kind, id))!.value;
          expect(JSON.stringify(read)).toBe(JSON.stringify(document));
          await storage.removeRows(id);
          await storage.append(id, kind, [{ index, row: document }]);
          expect(JSON.stringify(await rowsOf(id, kind))).toBe(JSON.stringify([{ index, row: document }]));
        }),
        { numRuns: 15, seed: 1 },
      );
    });

    it("tells names apart that only differ in case, and takes none for a path", async () => {
      const names = ["up", "UP", "../up", "..", "up/", "con", "a".repeat(500), `${"a".repeat(499)}b`];
      for (const name of names) {
        await storage.create(name, name, { name });
        await storage.append(name, "s", [row(0, name)]);
      }
      for (const name of names) {
        expect(await ids(name)).toEqual([name]);
        expect(await rowsOf(name, "s")).toEqual([row(0, name)]);
      }
    });

    it("refuses names that are none", async () => {
      for (const name of ["", "a\0b", "\ud800", "x".repeat(513)]) {
        await expect(storage.get("kind", name)).rejects.toMatchObject({ code: "NAME_INVALID" });
        await expect(storage.list(name)).rejects.toMatchObject({ code: "NAME_INVALID" });
        await expect(storage.append(name, "s", [row(0, 1)])).rejects.toMatchObject({ code: "NAME_INVALID" });
        await expect(storage.push("owner", name, [1])).rejects.toMatchObject({ code: "NAME_INVALID" });
      }
      await expect(storage.count("owner", "é".repeat(34))).rejects.toMatchObject({ code: "NAME_INVALID" });
    });

    it("goes by one clock", async () => {
      const [one, two] = [await storage.now(), await other.now()];
      expect(two).toBeGreaterThanOrEqual(one);
      expect(Math.abs(one - Date.now())).toBeLessThan(600_000);
    });

    it("still has everything when it is opened again", async () => {
      await storage.create("kept", "k", { here: true });
      await storage.append("kept", "s", [row(0, "r")]);
      const again = await under.open();
      try {
        expect((await again.get("kept", "k"))?.value).toEqual({ here: true });
        expect(await again.append("kept", "s", [row(0, "other"), row(1, "next")])).toBe(1);
        expect(await rowsOf("kept", "s")).toEqual([row(0, "r"), row(1, "next")]);
      } finally {
        await again.close();
      }
    });
  });
}

function row(index: number, value: JsonValue): StoredRow {
  return { index, row: value };
}
