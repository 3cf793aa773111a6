import { afterEach, describe, expect, it } from "vitest";
import { type RowOutcome, RowThreads, type RowThreadsOptions } from "../../../src/base/index.js";
import { textLength } from "../../../src/base/threads/textLength.js";

const module = new URL("./squares.ts", import.meta.url).href;
const opened: RowThreads[] = [];

function threads(options: Partial<RowThreadsOptions> = {}): RowThreads {
  const made = new RowThreads({ threads: 1, deadline: 1, ...options });
  opened.push(made);
  return made;
}

afterEach(async () => {
  await Promise.all(opened.splice(0).map((one) => one.close()));
});

const placed = (rows: readonly unknown[]) => rows.map((row, index) => ({ row, index }));

describe("rows in threads", () => {
  it("are done, each with its own place", async () => {
    const work = threads({ threads: 2 }).begin({ module, params: null, modules: false });
    const rows = Array.from({ length: 1000 }, (_, square) => ({ square }));
    const outcomes = await Promise.all(work.do(placed(rows)));
    expect(outcomes).toEqual(rows.map(({ square }, index) => ({ value: [index, square * square] })));
  });

  it("lose none to one that never ends, one that ends its thread and one that throws", async () => {
    const pool = threads({ settings: { deadline: "x.deadline" } });
    const work = pool.begin({ module, params: null, modules: false });
    const rows = [
      { square: 2 },
      { spin: true },
      { square: 3 },
      { exit: true },
      { throws: "no" },
      { square: 4 },
    ];
    const outcomes = await Promise.all(work.do(placed(rows)));
    expect(outcomes).toMatchObject([
      { value: [0, 4] },
      { error: { code: "ROW_TIMEOUT", message: expect.stringContaining("1 s (x.deadline)") } },
      { value: [2, 9] },
      { error: { code: "WORKER_DIED" } },
      { error: { message: "no" } },
      { value: [5, 16] },
    ]);
    // The thread that was started in its place works on.
    expect(await Promise.all(work.do(placed([{ square: 5 }])))).toEqual([{ value: [0, 25] }]);
  });

  it("that need more memory than a thread may hold are errors", async () => {
    const work = threads({ memory: 64, deadline: 60 }).begin({ module, params: null, modules: false });
    const outcomes = await Promise.all(work.do(placed([{ grow: true }, { square: 1 }])));
    expect(outcomes).toMatchObject([
      { error: { code: "WORKER_DIED", message: expect.stringContaining("64 MiB") } },
      { value: [1, 1] },
    ]);
  });

  it("may wait, but not for ever", async () => {
    const work = threads({ deadline: 0.3 }).begin({ module, params: null, modules: false });
    const outcomes = await Promise.all(work.do(placed([{ wait: 1 }, { wait: 1e8 }])));
    expect(outcomes).toMatchObject([{ value: "waited" }, { error: { code: "ROW_TIMEOUT" } }]);
  });

  it("of one work that loses threads leave a thread to others", async () => {
    const pool = threads({ threads: 2, deadline: 0.5 });
    const bad = pool.begin({ module, params: null, modules: false });
    const lost = bad.do(placed([{ spin: true }]));
    await lost[0];
    const spinning = [1, 2, 3, 4].map(() => bad.do(placed([{ spin: true }]))[0]!);
    let ended = 0;
    for (const one of spinning)
      void one.then(
        () => ended++,
        () => {},
      );
    const good = pool.begin({ module, params: null, modules: false });
    expect(await good.do(placed([{ square: 6 }]))[0]).toEqual({ value: [0, 36] });
    expect(ended).toBeLessThan(4);
  });

  it("end at once when nobody waits any more, and the thread is free again", async () => {
    const pool = threads({ deadline: 600 });
    const work = pool.begin({ module, params: null, modules: false });
    const stop = new AbortController();
    const outcomes = work.do(placed([{ spin: true }, { square: 1 }]), stop.signal);
    const other = work.do(placed([{ square: 7 }]));
    stop.abort(new Error("gone away"));
    await expect(outcomes[0]).rejects.toThrow("gone away");
    await expect(outcomes[1]).rejects.toThrow("gone away");
    expect(await other[0]).toEqual({ value: [0, 49] });
  });

  it("with longer texts than may be are not sent", async () => {
    const pool = threads({ maxCharacters: 20, settings: { maxCharacters: "x.size" } });
    const work = pool.begin({ module, params: null, modules: false });
    const rows = [{ throws: "a".repeat(30) }, { square: 3 }];
    const outcomes: RowOutcome[] = await Promise.all(work.do(placed(rows)));
    expect(outcomes).toMatchObject([
      { error: { code: "ROW_TOO_LARGE", message: expect.stringContaining("20 characters (x.size)") } },
      { value: [1, 9] },
    ]);
    const unlimited = pool.begin({ module, params: null, modules: false }, false);
    expect(await unlimited.do(placed([rows[0]]))[0]).toMatchObject({ error: { message: "a".repeat(30) } });
  });

  it("that cannot be sent, and work that cannot be made, say so", async () => {
    const pool = threads();
    const work = pool.begin({ module, params: null, modules: false });
    const outcomes = await Promise.all(work.do(placed([{ square: 2, f: () => {} }, { square: 2 }])));
    expect(outcomes).toMatchObject([
      { error: { message: expect.stringContaining("cloned") } },
      { value: [1, 4] },
    ]);
    const bad = pool.begin({ module, params: "no", modules: false });
    for (let again = 0; again < 2; again++) {
      await expect(bad.do(placed([{ square: 2 }]))[0]).rejects.toThrow("this work cannot be made");
    }
  });

  it("are done by another thread when theirs dies of an earlier work before it begins", async () => {
    const pool = threads();
    const bad = pool.begin({ module, params: null, modules: false });
    const good = pool.begin({ module, params: "slow", modules: false });
    expect(await bad.do(placed([{ square: 2, exitLater: 50 }]))[0]).toEqual({ value: [0, 4] });
    const outcomes = await Promise.all(good.do(placed([{ square: 3 }, { square: 4 }])));
    expect(outcomes).toEqual([{ value: [0, 9] }, { value: [1, 16] }]);
  });

  it("are refused when a fresh thread dies before it begins", async () => {
    const pool = threads();
    const good = pool.begin({ module, params: null, modules: false });
    expect(await good.do(placed([{ square: 2 }]))[0]).toEqual({ value: [0, 4] });
    const bad = pool.begin({ module, params: "exit", modules: false });
    await expect(bad.do(placed([{ square: 3 }]))[0]).rejects.toMatchObject({ code: "WORKER_DIED" });
    expect(await good.do(placed([{ square: 5 }]))[0]).toEqual({ value: [0, 25] });
  });

  it.each([1, 2])("without limits hold up neither each other nor those with, of %i threads", async (most) => {
    const pool = threads({ threads: most });
    const begin = (limits: boolean) => pool.begin({ module, params: null, modules: false }, limits);
    const [long, short] = [begin(false), begin(false)];
    const endless = long.do(placed([{ wait: 1e8 }]));
    const next = long.do(placed([{ square: 2 }]));
    expect(await short.do(placed([{ square: 3 }]))[0]).toEqual({ value: [0, 9] });
    const endlessToo = short.do(placed([{ wait: 1e8 }]));
    const third = begin(false).do(placed([{ square: 4 }]));
    expect(await begin(true).do(placed([{ square: 5 }]))[0]).toEqual({ value: [0, 25] });
    await pool.close();
    for (const [outcome] of [endless, next, endlessToo, third]) {
      await expect(outcome).rejects.toMatchObject({ code: "INTERRUPTED" });
    }
  });

  it("are refused once the threads are closed", async () => {
    const pool = threads();
    const work = pool.begin({ module, params: null, modules: false });
    const [spinning] = work.do(placed([{ spin: true }]));
    await pool.close();
    await expect(spinning).rejects.toMatchObject({ code: "INTERRUPTED" });
    await expect(work.do(placed([{ square: 1 }]))[0]).rejects.toMatchObject({ code: "INTERRUPTED" });
  });
});

describe("the length of a row's texts", () => {
  it("counts texts and names of fields at any depth", () => {
    expect(textLength({ ab: "cde", list: ["f", { g: 1 }], none: null })).toBe(2 + 3 + 4 + 1 + 1 + 4);
    let deep: unknown = "x";
    for (let level = 0; level < 200_000; level++) deep = [deep];
    expect(textLength(deep)).toBe(1);
  });
});
