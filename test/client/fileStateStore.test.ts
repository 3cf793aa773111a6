import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fileStateStore, fileStateStores } from "../../src/client/index.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "elenchus-states-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const state = (value: unknown) => new Map([["value", value]]);

describe("a store of states", () => {
  it("is empty at first", async () => {
    expect(await fileStateStore(folder).load(1, 1)).toEqual(new Map());
  });

  it("gives any process what another left, typed arrays and maps included", async () => {
    const rich = new Map<string, unknown>([
      ["moments", Float32Array.of(0.1, Number.NaN)],
      ["nested", new Map([["a", new Set([1])]])],
    ]);
    await fileStateStore(folder).save(7, 2, rich);
    expect(await fileStateStore(folder).load(7, 3)).toEqual(rich);
    expect(await fileStateStore(folder).load(8, 3)).toEqual(new Map());
  });

  it("starts a second attempt at a round from where the first one started", async () => {
    const store = fileStateStore(folder);
    await store.save(1, 4, state("after 4"));
    await store.save(1, 6, state("after 6"));
    expect(await store.load(1, 6)).toEqual(state("after 4"));
    expect(await store.load(1, 7)).toEqual(state("after 6"));
    expect(await store.load(1, 4)).toEqual(new Map());
  });

  it("forgets rounds that a resumed run does again", async () => {
    const store = fileStateStore(folder);
    for (const round of [3, 5, 9]) await store.save(1, round, state(round));
    await store.save(1, 5, state("again"));
    expect(await store.load(1, 12)).toEqual(state("again"));
  });

  it("keeps the newest ones only", async () => {
    const store = fileStateStore(folder, 2);
    for (const round of [1, 2, 3, 10]) await store.save(1, round, state(round));
    expect(readdirSync(join(folder, "1")).sort()).toEqual(["10.state", "3.state"]);
  });

  it("writes no file for a client that never had a state", async () => {
    const store = fileStateStore(folder);
    await store.save(1, 1, new Map());
    expect(readdirSync(folder)).toEqual([]);
    await store.save(1, 2, state(1));
    await store.save(1, 3, new Map());
    expect(await store.load(1, 4)).toEqual(new Map());
  });

  it("keeps runs apart, whatever they are called", async () => {
    const stores = fileStateStores(folder);
    const names = ["run-1", "..", "../../etc", "a/b", "", "x".repeat(300)];
    for (const name of names) await stores(name).save(1, 1, state(name));
    for (const name of names) expect(await stores(name).load(1, 2)).toEqual(state(name));
    expect(readdirSync(folder)).toHaveLength(names.length);
  });
});
