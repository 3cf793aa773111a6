import { mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  createPayloadReceiver,
  createPayloadStore,
  type PayloadSink,
  type ReceivedPayload,
} from "../../src/protocol/index.js";
import { smallLimits, someBytes } from "./limits.js";

describe("the store of received payloads", () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "elenchus-store-"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const fill = async (sink: PayloadSink, bytes: Uint8Array) => {
    await sink.write(bytes);
    return sink.finish();
  };

  it("keeps small payloads in memory while there is room, and the others in files", async () => {
    const store = createPayloadStore({ folder, memoryBytes: 400 });
    const small = [];
    for (let count = 0; count < 4; count++) small.push(await fill(store.sink(100), someBytes(100)));
    expect(await readdir(folder)).toEqual([]);
    const fifth = await fill(store.sink(100), someBytes(100));
    expect(await readdir(folder)).toHaveLength(1);
    await fifth.discard();
    await small[0]!.discard();
    await small[0]!.discard();
    const large = await fill(store.sink(101), someBytes(101));
    const again = await fill(store.sink(100), someBytes(100));
    expect(await readdir(folder)).toHaveLength(1);
    await large.discard();
    const other = await fill(store.sink(1), someBytes(1));
    expect(await readdir(folder)).toHaveLength(1);
    await Promise.all([again.discard(), other.discard()]);
    await store.close();
  });

  it("keeps files that only their owner can read, and none once it is closed", async () => {
    const store = createPayloadStore({ folder: join(folder, "deep", "spool"), memoryBytes: 0 });
    await fill(store.sink(10), someBytes(10));
    const [file] = await readdir(join(folder, "deep", "spool"));
    expect((await stat(join(folder, "deep", "spool", file!))).mode & 0o777).toBe(0o600);
    await store.close();
    expect(await readdir(join(folder, "deep", "spool"))).toEqual([]);
  });

  it("removes what a store that died left behind, and nothing else", async () => {
    await writeFile(join(folder, "old.payload"), "x");
    await writeFile(join(folder, "notes.txt"), "x");
    const store = createPayloadStore({ folder, memoryBytes: 0 });
    const sink = store.sink(1);
    await sink.write(someBytes(1));
    await sink.discard();
    expect(await readdir(folder)).toEqual(["notes.txt"]);
    await store.close();
  });

  it("reads files of several pieces, from the first byte each time, and may stop in the middle", async () => {
    const bytes = someBytes(3 * 1024 ** 2 + 5);
    const store = createPayloadStore({ folder, memoryBytes: 0 });
    const payload = await fill(store.sink(bytes.length), bytes);
    for await (const piece of payload.read()) {
      expect(piece.length).toBe(1024 ** 2);
      break;
    }
    const sizes: number[] = [];
    let position = 0;
    for await (const piece of payload.read()) {
      expect(Buffer.compare(piece, bytes.subarray(position, position + piece.length))).toBe(0);
      position += piece.length;
      sizes.push(piece.length);
    }
    expect(sizes).toEqual([1024 ** 2, 1024 ** 2, 1024 ** 2, 5]);
    await store.close();
  });

  describe("lets the event loop turn", () => {
    /** How often it turned while something was done. */
    const turnsDuring = async (work: () => Promise<void>): Promise<number> => {
      let turns = 0;
      let counting = setImmediate(function count() {
        turns++;
        counting = setImmediate(count);
      });
      await work();
      clearImmediate(counting);
      return turns;
    };
    const read = async (...payloads: ReceivedPayload[]) => {
      for (const payload of payloads) for await (const _ of payload.read());
    };

    it.each([
      ["memory", Number.POSITIVE_INFINITY],
      ["a file", 0],
    ])("for every MiB that is read from %s", async (_, memoryBytes) => {
      const store = createPayloadStore({ folder, memoryBytes });
      const payload = await fill(store.sink(4 * 1024 ** 2), new Uint8Array(4 * 1024 ** 2));
      expect(await turnsDuring(() => read(payload))).toBeGreaterThanOrEqual(4);
      await store.close();
    });

    it("while many short payloads are read, and not for a single one", async () => {
      const store = createPayloadStore({ folder });
      const payloads: ReceivedPayload[] = [];
      for (let count = 0; count < 200; count++) payloads.push(await fill(store.sink(100), someBytes(100)));
      expect(await turnsDuring(() => read(payloads[0]!))).toBe(0);
      expect(await turnsDuring(() => read(...payloads))).toBeGreaterThanOrEqual(3);
      await store.close();
    });
  });

  it("reads memory in pieces of at most one MiB, however long the chunks were", async () => {
    const bytes = someBytes(2 * 1024 ** 2 + 7);
    const store = createPayloadStore({ folder, memoryBytes: Number.POSITIVE_INFINITY });
    const payload = await fill(store.sink(bytes.length), bytes);
    const sizes: number[] = [];
    for await (const piece of payload.read()) {
      const start = sizes.reduce((sum, size) => sum + size, 0);
      expect(Buffer.compare(piece, bytes.subarray(start, start + piece.length))).toBe(0);
      sizes.push(piece.length);
    }
    expect(sizes).toEqual([1024 ** 2, 1024 ** 2, 7]);
    await store.close();
  });

  it("says so when a file is shorter than it was", async () => {
    const store = createPayloadStore({ folder, memoryBytes: 0 });
    const payload = await fill(store.sink(10), someBytes(10));
    const [file] = await readdir(folder);
    await writeFile(join(folder, file!), "abc");
    const read = async () => {
      for await (const piece of payload.read()) expect(piece.length).toBe(3);
    };
    await expect(read()).rejects.toThrow(/ends after 3 of 10 bytes/);
    await store.close();
  });

  it("closes without having been used", async () => {
    await createPayloadStore({ folder: join(folder, "never") }).close();
    expect(await readdir(folder)).toEqual([]);
  });

  it("fails the payload, not the server, when the folder cannot be made", async () => {
    await writeFile(join(folder, "file"), "x");
    const errors: unknown[] = [];
    const lost: string[] = [];
    const store = createPayloadStore({ folder: join(folder, "file"), memoryBytes: 0 });
    const receiver = createPayloadReceiver({
      limits: smallLimits(),
      store,
      onError: (error) => errors.push(error),
    });
    const transfer = { id: "t", bytes: 5, chunks: 1, chunk_bytes: 1000 };
    const expectation = { accept: () => expect.fail("accepted"), lost: (code: string) => lost.push(code) };
    receiver.open("one", transfer, expectation);
    const reply = await receiver.chunk("one", { transfer: "t", index: 0 }, someBytes(5));
    expect(reply).toMatchObject({ code: "internal" });
    expect(JSON.stringify(reply)).not.toContain(folder);
    expect(lost).toEqual(["internal"]);
    expect(errors.length).toBeGreaterThan(0);

    await store.close();
  });

  it("fails the payload when it cannot be finished", async () => {
    const errors: unknown[] = [];
    const lost: string[] = [];
    let discarded = 0;
    const sink: PayloadSink = {
      write: async () => {},
      finish: () => Promise.reject(new Error("disk full")),
      async discard() {
        discarded++;
      },
    };
    const receiver = createPayloadReceiver({
      limits: smallLimits(),
      store: { sink: () => sink, close: async () => {} },
      onError: (error) => errors.push(error),
    });
    receiver.open(
      "one",
      { id: "t", bytes: 0, chunks: 0, chunk_bytes: 1000 },
      { accept: () => expect.fail("accepted"), lost: (code) => lost.push(code) },
    );
    // SHA-256 of nothing, FIPS 180-4.
    const empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    expect(await receiver.done("one", { transfer: "t", sha256: empty })).toMatchObject({ code: "internal" });
    expect({ lost, errors, discarded }).toEqual({
      lost: ["internal"],
      errors: [new Error("disk full")],
      discarded: 1,
    });
  });
});
