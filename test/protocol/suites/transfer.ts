import { createHash } from "node:crypto";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  ACCEPTED,
  type Ask,
  announce,
  createPayloadReceiver,
  createPayloadStore,
  type Limits,
  type PayloadReceiver,
  type PayloadStore,
  preparePayload,
  type ReceivedPayload,
  type RefusalCode,
  type Reply,
  refuse,
  request,
  sendPayload,
  type Transfer,
} from "../../../src/protocol/index.js";
import { smallLimits, someBytes } from "../limits.js";

/** Two senders' ways to one receiver. */
export interface Link {
  /** How the sender of that number asks. */
  readonly asks: readonly [Ask, Ask];
  /** The owners under whom the receiver knows the two. */
  readonly owners: readonly [string, string];
  close(): Promise<void>;
}

/** Connects two senders with a receiver. */
export type MakeLink = (receiver: PayloadReceiver, limits: Limits) => Promise<Link>;

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const refusalOf = (error: unknown) => (error as { details?: { refusal?: string } }).details?.refusal;

/** What every way of moving payloads must do, whether bytes go through memory or sockets. */
export function transferSuite(name: string, makeLink: MakeLink): void {
  describe(`transfer ${name}`, () => {
    let folder: string;
    /** Files are removed behind the back of whoever is told that a payload is lost. */
    const emptySpool = () =>
      vi.waitFor(async () => expect(await readdir(join(folder, "spool"))).toEqual([]), 10_000);
    let store: PayloadStore;
    let receiver: PayloadReceiver;
    let link: Link;
    let errors: unknown[];

    const start = async (change: Partial<Limits> = {}, memoryBytes = 1_000_000) => {
      const limits = smallLimits(change);
      store = createPayloadStore({ folder: join(folder, "spool"), memoryBytes });
      receiver = createPayloadReceiver({ limits, store, onError: (error) => errors.push(error) });
      link = await makeLink(receiver, limits);
      return limits;
    };
    /** Opens a transfer of the first sender and tells what became of it. */
    const open = (
      transfer: Transfer,
      accept: (payload: ReceivedPayload) => Reply = () => ACCEPTED,
      owner = 0,
    ) => {
      const outcome: { payload?: ReceivedPayload; lost?: RefusalCode; calls: number } = { calls: 0 };
      const reply = receiver.open(link.owners[owner]!, transfer, {
        accept(payload) {
          outcome.calls++;
          outcome.payload = payload;
          return accept(payload);
        },
        lost(code) {
          outcome.calls++;
          outcome.lost = code;
        },
      });
      return { reply, outcome };
    };
    const bytesOf = async (payload: ReceivedPayload) => {
      const pieces: Buffer[] = [];
      for await (const piece of payload.read()) pieces.push(Buffer.from(piece));
      return Buffer.concat(pieces);
    };
    const sendChunk = (index: number, data: Uint8Array, transfer = "t", sender = 0) =>
      request(link.asks[sender]!, "chunk", { transfer, index }, { milliseconds: 5000, data });
    const sendDone = (digest: string, transfer = "t", sender = 0) =>
      request(link.asks[sender]!, "transfer_done", { transfer, sha256: digest }, { milliseconds: 5000 });
    const announced = (bytes: number, chunkBytes = 1000): Transfer => ({
      id: "t",
      bytes,
      chunks: Math.ceil(bytes / chunkBytes),
      chunk_bytes: chunkBytes,
    });

    beforeEach(async () => {
      errors = [];
      folder = await mkdtemp(join(tmpdir(), "elenchus-transfer-"));
    });
    afterEach(async () => {
      await link.close();
      await store.close();
      await rm(folder, { recursive: true, force: true });
      expect(receiver.buffered).toBe(0);
    });

    it.each([
      ["nothing", 0],
      ["less than a chunk", 1],
      ["exactly one chunk", 1000],
      ["many chunks and a rest", 12_345],
    ])("brings %s through memory and through a file, to be read again and again", async (_, length) => {
      for (const memoryBytes of [1_000_000, 0]) {
        const limits = await start({}, memoryBytes);
        const bytes = someBytes(length);
        // Parts that do not end where chunks end.
        const parts = [
          bytes.subarray(0, 333),
          bytes.subarray(333, 333),
          bytes.subarray(333, 2777),
          bytes.subarray(2777),
        ];
        const payload = preparePayload(parts, limits);
        const transfer = announce(payload);
        const { reply, outcome } = open(transfer);
        expect(reply).toEqual(ACCEPTED);
        expect(receiver.buffered).toBe(length);
        const progress: number[] = [];
        await sendPayload(link.asks[0], payload, transfer, {
          limits,
          onProgress: (done) => progress.push(done),
        });
        expect(progress.at(-1) ?? 0).toBe(length);
        expect(outcome.payload!.bytes).toBe(length);
        for (let turn = 0; turn < 2; turn++) {
          expect((await bytesOf(outcome.payload!)).equals(bytes)).toBe(true);
        }
        await outcome.payload!.discard();
        await outcome.payload!.discard();
        await expect(bytesOf(outcome.payload!)).rejects.toThrow();
        expect(await readdir(join(folder, "spool")).catch(() => [])).toEqual([]);
        await link.close();
      }
    });

    it("keeps at most a window of chunks without an acknowledgement", async () => {
      const limits = await start({ window: 3 });
      const payload = preparePayload([someBytes(20_000)], limits);
      const transfer = announce(payload);
      open(transfer);
      let underway = 0;
      let most = 0;
      const counting: Ask = async (event, args, milliseconds) => {
        most = Math.max(most, ++underway);
        try {
          const reply = await link.asks[0](event, args, milliseconds);
          await new Promise((settle) => setTimeout(settle, 5));
          return reply;
        } finally {
          underway--;
        }
      };
      await sendPayload(counting, payload, transfer, { limits });
      expect(most).toBe(3);
    });

    it("sends one payload to several receivers, hashing it once", async () => {
      const limits = await start();
      const payload = preparePayload([someBytes(9000)], limits);
      const transfers = [announce(payload), announce(payload)];
      const outcomes = transfers.map((transfer, owner) => open(transfer, undefined, owner).outcome);
      await Promise.all(
        transfers.map((transfer, sender) => sendPayload(link.asks[sender]!, payload, transfer, { limits })),
      );
      for (const { payload: received } of outcomes) {
        expect((await bytesOf(received!)).equals(someBytes(9000))).toBe(true);
      }
    });

    it("refuses what is larger than announced limits allow", async () => {
      const limits = await start();
      for (const [transfer, why] of [
        [announced(100_001), /100001 bytes/],
        [{ ...announced(2000, 1001) }, /Chunks of 1001 bytes/],
        [{ ...announced(65, 1) }, /65 chunks/],
      ] as const) {
        const { reply, outcome } = open(transfer);
        expect(reply).toMatchObject({ ok: false, code: "too_large", message: expect.stringMatching(why) });
        expect(outcome.calls).toBe(0);
      }
      expect(() => preparePayload([someBytes(100_001)], limits)).toThrow(/100001 bytes/);
      expect(() => preparePayload([someBytes(65_000)], { ...limits, payload_chunks: 64 })).toThrow(
        /65 chunks/,
      );
    });

    it("refuses for the moment what would exceed the bytes held of unfinished payloads", async () => {
      await start();
      const first = open(announced(64_000));
      const second = open({ ...announced(64_000), id: "u" });
      expect(open({ ...announced(30_000), id: "v" }).reply).toMatchObject({ code: "busy" });
      receiver.drop(link.owners[0], "late", "withdrawn", "t");
      expect(first.outcome.lost).toBe("late");
      expect(second.outcome.calls).toBe(0);
      expect(open({ ...announced(30_000), id: "v" }).reply).toEqual(ACCEPTED);
      receiver.drop(link.owners[0], "late", "gone");
      expect(second.outcome).toMatchObject({ lost: "late", calls: 1 });
    });

    it("refuses a transfer that is announced twice", async () => {
      await start();
      const { outcome } = open(announced(2000));
      expect(open(announced(2000)).reply).toMatchObject({ code: "duplicate" });
      expect(outcome.calls).toBe(0);
      receiver.drop(link.owners[0], "late", "over");
    });

    it("refuses a corrupt payload and tells the sender so", async () => {
      const limits = await start();
      const payload = preparePayload([someBytes(5000)], limits);
      const transfer = announce(payload);
      const { outcome } = open(transfer);
      const corrupting: Ask = (event, args, milliseconds) => {
        if (event !== "chunk" || (args[0] as { index: number }).index !== 3) {
          return link.asks[0](event, args, milliseconds);
        }
        const data = new Uint8Array(args[1] as Uint8Array);
        data[500]! ^= 1;
        return link.asks[0](event, [args[0], data], milliseconds);
      };
      const failure = await sendPayload(corrupting, payload, transfer, { limits }).catch((error) => error);
      expect(failure).toMatchObject({ code: "PAYLOAD_INVALID" });
      expect(refusalOf(failure)).toBe("corrupt");
      expect(outcome).toEqual({ lost: "corrupt", calls: 1 });
    });

    it("refuses a replayed chunk and goes on", async () => {
      await start();
      const bytes = someBytes(2500);
      const { outcome } = open(announced(2500));
      expect(await sendChunk(0, bytes.subarray(0, 1000))).toEqual(ACCEPTED);
      expect(await sendChunk(0, bytes.subarray(0, 1000))).toMatchObject({ code: "duplicate" });
      expect(await sendChunk(1, bytes.subarray(1000, 2000))).toEqual(ACCEPTED);
      expect(await sendChunk(2, bytes.subarray(2000))).toEqual(ACCEPTED);
      expect(await sendDone(sha256(bytes))).toEqual(ACCEPTED);
      expect(await sendDone(sha256(bytes))).toMatchObject({ code: "foreign" });
      expect((await bytesOf(outcome.payload!)).equals(bytes)).toBe(true);
      expect(outcome.calls).toBe(1);
    });

    it.each<[string, number, number, RefusalCode]>([
      ["leaves one out", 2, 500, "out_of_order"],
      ["sends one too large", 1, 1000 + 1, "too_large"],
      ["sends one too small", 1, 999, "corrupt"],
      ["sends one after the last", 7, 1000, "too_large"],
    ])("gives up the payload of a sender who %s, and of no one else", async (_, index, size, code) => {
      await start();
      const bytes = someBytes(2500);
      const mine = open(announced(2500));
      const theirs = open(announced(2500), undefined, 1);
      await sendChunk(0, bytes.subarray(0, 1000));
      expect(await sendChunk(index, someBytes(size))).toMatchObject({ ok: false, code });
      expect(mine.outcome).toEqual({ lost: code, calls: 1 });
      expect(await sendChunk(1, bytes.subarray(1000, 2000))).toMatchObject({ code: "foreign" });
      for (const [at, start] of [0, 1000, 2000].entries()) {
        expect(await sendChunk(at, bytes.subarray(start, start + 1000), "t", 1)).toEqual(ACCEPTED);
      }
      expect(await sendDone(sha256(bytes), "t", 1)).toEqual(ACCEPTED);
      expect((await bytesOf(theirs.outcome.payload!)).equals(bytes)).toBe(true);
    });

    it("refuses chunks for another session's transfer, which goes on", async () => {
      await start();
      const bytes = someBytes(1500);
      const { outcome } = open(announced(1500));
      await sendChunk(0, bytes.subarray(0, 1000));
      expect(await sendChunk(1, someBytes(500), "t", 1)).toMatchObject({ code: "foreign" });
      expect(await sendDone(sha256(bytes), "t", 1)).toMatchObject({ code: "foreign" });
      await sendChunk(1, bytes.subarray(1000));
      expect(await sendDone(sha256(bytes))).toEqual(ACCEPTED);
      expect(outcome.calls).toBe(1);
    });

    it("refuses a payload whose last chunk is missing", async () => {
      await start();
      const { outcome } = open(announced(2500));
      await sendChunk(0, someBytes(1000));
      expect(await sendDone(sha256(someBytes(1000)))).toMatchObject({
        code: "corrupt",
        message: expect.stringMatching(/1 of 3 chunks/),
      });
      expect(outcome.lost).toBe("corrupt");
    });

    it("gives up a payload that is not complete in time", async () => {
      await start({ payload_seconds: 0.05 }, 0);
      const { outcome } = open(announced(2500));
      await sendChunk(0, someBytes(1000));
      await new Promise((settle) => setTimeout(settle, 120));
      expect(outcome).toEqual({ lost: "expired", calls: 1 });
      expect(await sendChunk(1, someBytes(1000))).toMatchObject({ code: "foreign" });
      await emptySpool();
    });

    it("discards a payload that its taker refuses, and tells the sender why", async () => {
      const limits = await start({}, 0);
      const payload = preparePayload([someBytes(5000)], limits);
      const transfer = announce(payload);
      open(transfer, () => refuse("not_finite", "NaN in w"));
      const failure = await sendPayload(link.asks[0], payload, transfer, { limits }).catch((error) => error);
      expect(failure.message).toMatch(/\[not_finite\]: NaN in w/);
      await emptySpool();
    });

    it("keeps the failure of a taker to itself", async () => {
      const limits = await start({}, 0);
      const payload = preparePayload([someBytes(500)], limits);
      const transfer = announce(payload);
      open(transfer, () => {
        throw new Error("secret path");
      });
      const failure = await sendPayload(link.asks[0], payload, transfer, { limits }).catch((error) => error);
      expect(refusalOf(failure)).toBe("internal");
      expect(failure.message).not.toMatch(/secret/);
      expect(errors).toEqual([new Error("secret path")]);
      await emptySpool();
    });

    it("stops sending when told to", async () => {
      const limits = await start();
      const payload = preparePayload([someBytes(50_000)], limits);
      const transfer = announce(payload);
      open(transfer);
      const abort = new AbortController();
      const sending = sendPayload(link.asks[0], payload, transfer, {
        limits,
        signal: abort.signal,
        onProgress: () => abort.abort(),
      });
      await expect(sending).rejects.toMatchObject({ code: "CONNECTION_LOST" });
      receiver.drop(link.owners[0], "late", "gone");
    });
  });
}
