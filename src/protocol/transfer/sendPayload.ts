import { setImmediate } from "node:timers/promises";
import { ElenchusError, sentence } from "../../base/index.js";
import { type Ask, request } from "../ask.js";
import type { Limits } from "../limits.js";
import type { Reply } from "../messages/reply.js";
import type { Transfer } from "../messages/transfer.js";
import type { Payload } from "./payload.js";

export interface SendOptions {
  /** The limits announced in the handshake. */
  readonly limits: Pick<Limits, "window" | "payload_seconds">;
  /** Gives up; its reason is thrown when it is an `ElenchusError`. */
  readonly signal?: AbortSignal;
  /** Bytes that the other end has acknowledged. */
  readonly onProgress?: (bytes: number) => void;
}

/**
 * Sends an announced payload: numbered chunks, at most `window` of them without an acknowledgement, then its
 * SHA-256. Resolves when the other end has accepted the whole.
 * @throws PAYLOAD_INVALID when it was refused, with the refusal's code as `details.refusal`;
 * CONNECTION_LOST; DEADLINE_EXCEEDED after `payload_seconds`; PROTOCOL_VIOLATION
 */
export async function sendPayload(
  ask: Ask,
  payload: Payload,
  transfer: Transfer,
  options: SendOptions,
): Promise<void> {
  const { limits, onProgress } = options;
  const stop = stopper(options.signal);
  const deadline = performance.now() + limits.payload_seconds * 1000;
  const left = () => Math.max(1, deadline - performance.now());
  const underway: Promise<void>[] = [];
  let failure: unknown;
  let acknowledged = 0;

  const sendChunk = async (index: number) => {
    const data = payload.chunk(index);
    try {
      requireAccepted(
        await request(ask, "chunk", { transfer: transfer.id, index }, { milliseconds: left(), data }),
      );
      acknowledged += data.length;
      onProgress?.(acknowledged);
    } catch (error) {
      failure ??= error;
    }
  };
  const oldest = async () => {
    await Promise.race([underway.shift(), stop.reached]);
    if (failure !== undefined) throw failure;
  };

  try {
    for (let index = 0; index < payload.chunks; index++) {
      if (underway.length >= limits.window) await oldest();
      stop.check();
      underway.push(sendChunk(index));
      payload.hash(index);
      // Without a turn of the event loop the chunks would gather in socket.io and leave in one go.
      await setImmediate();
    }
    while (underway.length > 0) await oldest();
    const done = { transfer: transfer.id, sha256: payload.digest() };
    const reply = request(ask, "transfer_done", done, { milliseconds: left() });
    reply.catch(() => {});
    requireAccepted(await Promise.race([reply, stop.reached]));
  } finally {
    stop.release();
  }
}

function requireAccepted(reply: Reply): void {
  if (reply.ok) return;
  throw new ElenchusError(
    "PAYLOAD_INVALID",
    `The payload was refused [${reply.code}]: ${sentence(reply.message)}`,
    {
      details: { refusal: reply.code },
    },
  );
}

/** An abort signal as something to race against. */
function stopper(signal: AbortSignal | undefined) {
  let reject: (error: unknown) => void;
  const reached = new Promise<never>((_, fail) => {
    reject = fail;
  });
  reached.catch(() => {});
  const onAbort = () => reject(reasonOf(signal!));
  signal?.addEventListener("abort", onAbort, { once: true });
  return {
    reached,
    check() {
      if (signal?.aborted) throw reasonOf(signal);
    },
    release: () => signal?.removeEventListener("abort", onAbort),
  };
}

function reasonOf(signal: AbortSignal): unknown {
  if (signal.reason instanceof ElenchusError) return signal.reason;
  return new ElenchusError("CONNECTION_LOST", "The transfer was stopped before it was complete.", {
    cause: signal.reason,
  });
}
