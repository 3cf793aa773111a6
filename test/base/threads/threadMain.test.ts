import { once } from "node:events";
import { expect, it } from "vitest";
import { entryFile } from "../../../src/base/index.js";
import type { ThreadStart, ToThread } from "../../../src/base/threads/rowWork.js";
import { startThread } from "../../../src/base/threads/startThread.js";

it("a thread forgets work that it is still making when it is told so", async () => {
  const state = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  const workerData: ThreadStart = { modules: [], state };
  const entry = entryFile(
    new URL("../../../src/base/threads/rowThread.ts", import.meta.url).href,
    "./threadMain",
  );
  const thread = startThread(entry, { workerData });
  const tell = (message: ToThread) => thread.postMessage(message);
  const module = new URL("./squares.ts", import.meta.url).href;
  const rows = [{ row: { square: 3 }, index: 0 }];
  try {
    tell({ work: 1, make: { module, params: "slow", modules: false }, rows });
    tell({ forget: 1 });
    expect(await once(thread, "message")).toEqual([{ outcomes: [{ value: [0, 9] }] }]);
    tell({ work: 1, rows });
    expect(await once(thread, "message")).toMatchObject([{ unmade: {} }]);
  } finally {
    await thread.terminate();
  }
});
