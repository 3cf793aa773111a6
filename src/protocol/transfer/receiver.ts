import { createHash } from "node:crypto";
import { LONGEST_TIMER } from "../../base/index.js";
import type { Limits } from "../limits.js";
import { ACCEPTED, type Reply, refuse } from "../messages/reply.js";
import type { ChunkHeader, Transfer, TransferDone } from "../messages/transfer.js";
import type { RefusalCode } from "../refusals.js";
import type { PayloadSink, ReceivedPayload } from "./payloadSink.js";
import type { PayloadStore } from "./payloadStore.js";

/** What becomes of an announced payload: exactly one of the two is called, once. */
export interface Expectation {
  /**
   * The payload is here, and is what was announced. The answer goes to the sender. Who accepts it owns it;
   * when it is refused, it is discarded.
   */
  accept(payload: ReceivedPayload): Reply | Promise<Reply>;
  /** The payload will not come. */
  lost(code: RefusalCode, message: string): void;
}

/**
 * The receiving end of transfers. Payloads belong to an owner, the session that announced them; what one
 * owner does never touches another's. All answers are replies: nothing a sender does makes it throw.
 */
export interface PayloadReceiver {
  /** Gets ready for an announced payload. When the reply is a refusal, the expectation is not kept. */
  open(owner: string, transfer: Transfer, expectation: Expectation): Reply;
  /** Takes the next chunk. The bytes are kept, not copied. Settles when the sender may send more. */
  chunk(owner: string, header: ChunkHeader, data: Uint8Array): Promise<Reply>;
  /** Compares the SHA-256 and hands the payload over. */
  done(owner: string, message: TransferDone): Promise<Reply>;
  /** Gives up an owner's unfinished payloads, or the one of that id. */
  drop(owner: string, code: RefusalCode, message: string, transfer?: string): void;
  /** Bytes announced and not yet complete. */
  readonly buffered: number;
}

/** One announced payload. */
interface Upload {
  readonly owner: string;
  readonly transfer: Transfer;
  readonly expectation: Expectation;
  readonly sink: PayloadSink;
  readonly hasher: ReturnType<typeof createHash>;
  readonly timer: NodeJS.Timeout;
  /** The chunk that must come next. */
  next: number;
}

const FAILED = "The receiving end cannot keep the payload; its log says why.";

export interface ReceiverOptions {
  readonly limits: Limits;
  readonly store: PayloadStore;
  /** Hears of failures of this end: of the store, or of an `accept` that threw. The sender is told nothing of them. */
  readonly onError: (error: unknown) => void;
}

export function createPayloadReceiver({ limits, store, onError }: ReceiverOptions): PayloadReceiver {
  const uploads = new Map<string, Upload>();
  let buffered = 0;

  const keyOf = (owner: string, id: string) => JSON.stringify([owner, id]);

  /** Forgets an upload. @returns false when that was already done */
  const close = (upload: Upload): boolean => {
    if (!uploads.delete(keyOf(upload.owner, upload.transfer.id))) return false;
    clearTimeout(upload.timer);
    buffered -= upload.transfer.bytes;
    return true;
  };
  const lose = (upload: Upload, code: RefusalCode, message: string): Reply => {
    if (close(upload)) {
      upload.sink.discard().catch(onError);
      upload.expectation.lost(code, message);
    }
    return refuse(code, message);
  };
  const find = (owner: string, id: string) => uploads.get(keyOf(owner, id));

  return {
    get buffered() {
      return buffered;
    },

    open(owner, transfer, expectation) {
      if (find(owner, transfer.id))
        return refuse("duplicate", `Transfer ${transfer.id} was already announced.`);
      const excess = excessOf(transfer, limits);
      if (excess) return refuse("too_large", excess);
      if (buffered + transfer.bytes > limits.buffered_bytes) {
        return refuse(
          "busy",
          `${buffered} bytes of unfinished payloads are held and ${transfer.bytes} more would exceed ${limits.buffered_bytes}. Try again later.`,
        );
      }
      const seconds = limits.payload_seconds;
      const upload: Upload = {
        owner,
        transfer,
        expectation,
        sink: store.sink(transfer.bytes),
        hasher: createHash("sha256"),
        timer: setTimeout(
          () =>
            lose(
              upload,
              "expired",
              `The payload was not complete after ${seconds} s (server.payload_timeout).`,
            ),
          Math.min(seconds * 1000, LONGEST_TIMER),
        ),
        next: 0,
      };
      uploads.set(keyOf(owner, transfer.id), upload);
      buffered += transfer.bytes;
      return ACCEPTED;
    },

    async chunk(owner, { transfer: id, index }, data) {
      const upload = find(owner, id);
      if (!upload) return refuse("foreign", `No transfer ${id} is under way in this session.`);
      if (index < upload.next) return refuse("duplicate", `Chunk ${index} was already received.`);
      const fault = faultOf(upload, index, data.length);
      if (fault) return lose(upload, fault.code, fault.message);
      upload.next++;
      upload.hasher.update(data);
      try {
        await upload.sink.write(data);
        return ACCEPTED;
      } catch (error) {
        onError(error);
        return lose(upload, "internal", FAILED);
      }
    },

    async done(owner, { transfer: id, sha256 }) {
      const upload = find(owner, id);
      if (!upload) return refuse("foreign", `No transfer ${id} is under way in this session.`);
      const { next, transfer, sink, hasher, expectation } = upload;
      if (next < transfer.chunks) {
        return lose(upload, "corrupt", `The payload ended after ${next} of ${transfer.chunks} chunks.`);
      }
      const found = hasher.digest("hex");
      if (found !== sha256) {
        return lose(upload, "corrupt", `The SHA-256 of the payload is ${found}; announced was ${sha256}.`);
      }
      close(upload);
      let payload: ReceivedPayload | undefined;
      try {
        payload = await sink.finish();
        const reply = await expectation.accept(payload);
        if (!reply.ok) await payload.discard();
        return reply;
      } catch (error) {
        onError(error);
        if (!payload) expectation.lost("internal", FAILED);
        await (payload ?? sink).discard().catch(onError);
        return refuse("internal", FAILED);
      }
    },

    drop(owner, code, message, id) {
      for (const upload of [...uploads.values()]) {
        if (upload.owner === owner && (id === undefined || upload.transfer.id === id))
          lose(upload, code, message);
      }
    },
  };
}

function excessOf(transfer: Transfer, limits: Limits): string | undefined {
  if (transfer.bytes > limits.payload_bytes) {
    return `A payload of ${transfer.bytes} bytes was announced; at most ${limits.payload_bytes} are taken (server.max_payload_bytes).`;
  }
  if (transfer.chunk_bytes > limits.chunk_bytes) {
    return `Chunks of ${transfer.chunk_bytes} bytes were announced; at most ${limits.chunk_bytes} are taken (server.max_chunk_bytes).`;
  }
  if (transfer.chunks > limits.payload_chunks) {
    return `${transfer.chunks} chunks were announced; at most ${limits.payload_chunks} are taken (server.max_payload_chunks).`;
  }
  return undefined;
}

function faultOf(
  { transfer, next }: Upload,
  index: number,
  size: number,
): { code: RefusalCode; message: string } | undefined {
  if (index >= transfer.chunks) {
    return { code: "too_large", message: `Chunk ${index} came; ${transfer.chunks} chunks were announced.` };
  }
  if (index > next) return { code: "out_of_order", message: `Chunk ${index} came; expected was ${next}.` };
  const expected = Math.min(transfer.chunk_bytes, transfer.bytes - index * transfer.chunk_bytes);
  if (size === expected) return undefined;
  const code = size > expected ? "too_large" : "corrupt";
  return { code, message: `Chunk ${index} has ${size} bytes; expected were ${expected}.` };
}
