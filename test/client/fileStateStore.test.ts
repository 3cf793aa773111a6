import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serialize } from "node:v8";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createLogger, silentLogger } from "../../src/base/index.js";
import { fileStateStore, fileStateStores } from "../../src/client/index.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "elenchus-states-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const state = (value: unknown) => new Map([["value", value]]);

describe("a store of states", () => {
  it("is empty at first", async () => {
    expect(await fileStateStore(folder, silentLogger).load(1, 1)).toEqual(new Map());
  });

  it("gives any process what another left, typed arrays and maps included", async () => {
    const rich = new Map<string, unknown>([
      ["moments", Float32Array.of(0.1, Number.NaN)],
      ["nested", new Map([["a", new Set([1])]])],
    ]);
    await fileStateStore(folder, silentLogger).save(7, 2, rich);
    expect(await fileStateStore(folder, silentLogger).load(7, 3)).toEqual(rich);
    expect(await fileStateStore(folder, silentLogger).load(8, 3)).toEqual(new Map());
  });

  it("takes the state of the last aggregated round alone, where the server says which that was", async () => {
    const lines: string[] = [];
    const store = fileStateStore(
      folder,
      createLogger("warn", (line) => lines.push(line)),
    );
    await store.save(1, 2, state("after 2"));
    // Rounds that were given up, more than are kept.
    for (const round of [3, 4, 5, 6, 7]) await store.save(1, round, state(`after ${round}`), 2);
    expect(await store.load(1, 9, 2)).toEqual(state("after 2"));
    expect(await store.load(1, 9, null)).toEqual(new Map());
    expect(await store.load(1, 9, 8)).toEqual(new Map());
    expect(await store.load(1, 9)).toEqual(state("after 7"));

    writeFileSync(join(folder, "1", "2.state"), "torn");
    expect(await store.load(1, 9, 2)).toEqual(new Map());
    expect(lines).toHaveLength(1);
  });

  it("starts a second attempt at a round from where the first one started", async () => {
    const store = fileStateStore(folder, silentLogger);
    await store.save(1, 4, state("after 4"));
    await store.save(1, 6, state("after 6"));
    expect(await store.load(1, 6)).toEqual(state("after 4"));
    expect(await store.load(1, 7)).toEqual(state("after 6"));
    expect(await store.load(1, 4)).toEqual(new Map());
  });

  it("forgets rounds that a resumed run does again", async () => {
    const store = fileStateStore(folder, silentLogger);
    for (const round of [3, 5, 9]) await store.save(1, round, state(round));
    await store.save(1, 5, state("again"));
    expect(await store.load(1, 12)).toEqual(state("again"));
  });

  it("keeps the newest ones only", async () => {
    const store = fileStateStore(folder, silentLogger, 2);
    for (const round of [1, 2, 3, 10]) await store.save(1, round, state(round));
    expect(readdirSync(join(folder, "1")).sort()).toEqual(["10.state", "3.state"]);
  });

  it("writes no file for a client that never had a state", async () => {
    const store = fileStateStore(folder, silentLogger);
    await store.save(1, 1, new Map());
    expect(readdirSync(folder)).toEqual([]);
    await store.save(1, 2, state(1));
    await store.save(1, 3, new Map());
    expect(await store.load(1, 4)).toEqual(new Map());
  });

  it.each([
    ["torn", (whole: Buffer) => whole.subarray(0, 10)],
    ["empty", () => Buffer.alloc(0)],
    ["no serialized value at all", () => Buffer.from("something else")],
    ["another value", () => serialize({ value: "an object" })],
    ["a map of another kind", () => serialize(new Map([[7, "a number as key"]]))],
  ])("takes the state before one whose file is %s, and says so", async (_, damage) => {
    const lines: string[] = [];
    const store = fileStateStore(
      folder,
      createLogger("warn", (line) => lines.push(line)),
    );
    for (const round of [2, 5]) await store.save(1, round, state(`after ${round}`));
    const damaged = (round: number) => {
      const path = join(folder, "1", `${round}.state`);
      writeFileSync(path, damage(readFileSync(path)));
      return path;
    };
    const newest = damaged(5);
    expect(await store.load(1, 6)).toEqual(state("after 2"));
    expect(lines).toEqual([
      expect.stringContaining(`client 1 after round 5 is lost, as ${newest} cannot be used: `),
    ]);
    damaged(2);
    expect(await store.load(1, 6)).toEqual(new Map());
    expect(lines).toHaveLength(3);
  });

  it("keeps runs apart, whatever they are called", async () => {
    const stores = fileStateStores(folder, silentLogger);
    const names = ["run-1", "..", "../../etc", "a/b", "", "x".repeat(300)];
    for (const name of names) await stores(name).save(1, 1, state(name));
    for (const name of names) expect(await stores(name).load(1, 2)).toEqual(state(name));
    expect(readdirSync(folder)).toHaveLength(names.length);
  });
});
