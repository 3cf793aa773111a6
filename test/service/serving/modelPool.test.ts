import { setImmediate as turn } from "node:timers/promises";
import { expect, it } from "vitest";
import { silentLogger } from "../../../src/base/index.js";
import { ScriptedLanguageModel } from "../../../src/language/index.js";
import { abortable } from "../../../src/service/serving/abortable.js";
import { ModelPool } from "../../../src/service/serving/modelPool.js";

/** A pool whose models load when they are told to, and what became of them. Names with "://" are of other servers. */
function scripted({ slow = [] }: { slow?: readonly string[] } = {}) {
  const log: string[] = [];
  const loaded = new Map<string, () => void>();
  const pool = new ModelPool({
    kept: 1,
    logger: silentLogger,
    list: async () => [],
    find: async (asked) => {
      const name = String(asked);
      return {
        key: name,
        open: async () => {
          log.push(`open ${name}`);
          if (slow.includes(name)) await new Promise<void>((done) => loaded.set(name, done));
          return {
            ...{ name, tokenizer: undefined, local: !name.includes("://") },
            model: new ScriptedLanguageModel({ name }),
            release: async () => void log.push(`release ${name}`),
          };
        },
      };
    },
  });
  return { pool, log, load: (name: string) => loaded.get(name)!() };
}

const nothing = async () => {};

/** Asks for a model, and goes away while it is loading. */
async function abandon(pool: ModelPool, name: string): Promise<void> {
  const gone = new AbortController();
  const asked = pool.acquire(name, gone.signal);
  await turn();
  gone.abort(new Error("gone"));
  await expect(asked).rejects.toThrow("gone");
}

it("does not let who is answered wait for a model that others have begun to load", async () => {
  const { pool, log, load } = scripted({ slow: ["big"] });
  await abandon(pool, "big");
  await pool.use("small", undefined, nothing);
  await pool.use("other", undefined, nothing);
  expect(log).toEqual(["open big", "open small", "open other", "release small"]);
  load("big");
  await turn();
  expect(log.slice(4)).toEqual(["release big"]);
});

it("loads a model once, also where who asked first has gone away", async () => {
  const { pool, log, load } = scripted({ slow: ["big"] });
  await abandon(pool, "big");
  await pool.use("small", undefined, nothing);
  const used = pool.use("big", undefined, nothing);
  await turn();
  load("big");
  await used;
  expect(log).toEqual(["open big", "open small", "release small"]);
});

it("keeps no more models than it may of those that nobody has waited for", async () => {
  const slow = ["a", "b", "c"];
  const { pool, log, load } = scripted({ slow });
  for (const name of slow) await abandon(pool, name);
  for (const name of slow) load(name);
  await turn();
  expect(log.slice(3)).toEqual(["release a", "release b"]);
});

it("takes no model of this machine away for one of another server", async () => {
  const { pool, log } = scripted();
  await pool.use("here", undefined, nothing);
  await pool.use("https://judge", undefined, nothing);
  await pool.use("here", undefined, nothing);
  expect(log).toEqual(["open here", "open https://judge"]);
  await pool.use("here too", undefined, nothing);
  expect(log.slice(2)).toEqual(["open here too", "release here"]);
});

it("that is closed waits for no model that is loading", async () => {
  const closed = { code: "INTERRUPTED" };
  let heard: AbortSignal | undefined;
  const pool = new ModelPool({
    ...{ kept: 1, logger: silentLogger, list: async () => [] },
    find: async (name) => ({
      key: String(name),
      open: (signal) => {
        heard = signal;
        return abortable(new Promise<never>(() => {}), signal);
      },
    }),
  });
  const loading = pool.acquire("a");
  await turn();
  expect(heard?.aborted).toBe(false);
  const found = pool.acquire("b");
  const closing = pool.close();
  await expect(loading).rejects.toMatchObject(closed);
  await expect(found).rejects.toMatchObject(closed);
  await expect(pool.acquire("c")).rejects.toMatchObject(closed);
  await closing;
});

it("keeps 32 models of other servers", async () => {
  const { pool, log } = scripted();
  for (let one = 0; one < 33; one++) await pool.use(`https://${one}`, undefined, nothing);
  expect(log.filter((line) => line.startsWith("release"))).toEqual(["release https://0"]);
});
