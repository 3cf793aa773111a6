import { createHash, randomUUID } from "node:crypto";
import { ElenchusError } from "../../base/index.js";
import type { Limits } from "../limits.js";
import type { Transfer } from "../messages/transfer.js";

/** Bytes to be sent, to one receiver or to many. */
export interface Payload {
  readonly bytes: number;
  readonly chunkBytes: number;
  /** Number of chunks. */
  readonly chunks: number;
  /** The bytes of one chunk: a view of the parts, or a copy where parts meet. */
  chunk(index: number): Uint8Array;
  /**
   * Takes a chunk into the SHA-256, if it is the next one. The sender calls it while the chunk is on its
   * way, so that hashing costs no time of its own; of several senders the first does the work.
   */
  hash(index: number): void;
  /** SHA-256 of all bytes, 64 hexadecimal digits. */
  digest(): string;
}

/**
 * Prepares parts for sending, without copying them.
 * @throws PAYLOAD_INVALID when the receiver's limits do not allow so much
 */
export function preparePayload(parts: readonly Uint8Array[], limits: Limits): Payload {
  const chunkBytes = limits.chunk_bytes;
  const bytes = parts.reduce((sum, part) => sum + part.length, 0);
  const chunks = Math.ceil(bytes / chunkBytes);
  if (bytes > limits.payload_bytes) {
    throw tooLarge(`${bytes} bytes`, `${limits.payload_bytes} (server.max_payload_bytes)`);
  }
  if (chunks > limits.payload_chunks) {
    throw tooLarge(
      `${chunks} chunks of ${chunkBytes} bytes`,
      `${limits.payload_chunks} chunks (server.max_payload_chunks)`,
    );
  }

  const chunk = cutter(parts, bytes, chunkBytes);
  const hasher = createHash("sha256");
  let hashed = 0;
  let digest: string | undefined;

  const hash = (index: number) => {
    if (index !== hashed || index >= chunks) return;
    hasher.update(chunk(index));
    hashed++;
  };
  return {
    bytes,
    chunkBytes,
    chunks,
    chunk,
    hash,
    digest() {
      while (hashed < chunks) hash(hashed);
      digest ??= hasher.digest("hex");
      return digest;
    },
  };
}

/** What to tell a receiver before the first chunk; every transfer has an id of its own. */
export function announce(payload: Payload): Transfer {
  return { id: randomUUID(), bytes: payload.bytes, chunks: payload.chunks, chunk_bytes: payload.chunkBytes };
}

/** Cuts parts that lie one behind the other into chunks. */
function cutter(parts: readonly Uint8Array[], bytes: number, chunkBytes: number): Payload["chunk"] {
  const starts: number[] = [];
  let sum = 0;
  for (const part of parts) {
    starts.push(sum);
    sum += part.length;
  }

  return (index) => {
    const start = index * chunkBytes;
    const end = Math.min(start + chunkBytes, bytes);
    let at = lastNotAbove(starts, start);
    const first = parts[at]!.subarray(start - starts[at]!, end - starts[at]!);
    if (first.length === end - start) return first;
    const joined = new Uint8Array(end - start);
    for (let filled = 0; filled < joined.length; at++) {
      const piece = parts[at]!.subarray(start + filled - starts[at]!, end - starts[at]!);
      joined.set(piece, filled);
      filled += piece.length;
    }
    return joined;
  };
}

/** Index of the last of the ascending numbers that is not above the limit. */
function lastNotAbove(numbers: readonly number[], limit: number): number {
  let low = 0;
  let high = numbers.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (numbers[middle]! <= limit) low = middle;
    else high = middle - 1;
  }
  return low;
}

function tooLarge(found: string, limit: string): ElenchusError {
  return new ElenchusError(
    "PAYLOAD_INVALID",
    `The payload has ${found}; the receiving end takes at most ${limit}. Raise the limit on the server or send less.`,
    { details: { refusal: "too_large" } },
  );
}
