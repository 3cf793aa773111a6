import { type FileHandle, open, rm } from "node:fs/promises";
import { type PayloadSink, PIECE_BYTES, type ReceivedPayload } from "./payloadSink.js";

/**
 * Keeps a payload in a file that only this user can read.
 * @param ready settles when the folder is there
 */
export function fileSink(bytes: number, ready: Promise<void>, path: string): PayloadSink {
  const file = ready.then(() => open(path, "wx", 0o600));
  file.catch(() => {});
  let position = 0;
  const writes = new Set<Promise<void>>();
  const settled = async () => {
    await Promise.allSettled(writes);
    await file.then((handle) => handle.close());
  };
  const discard = () => rm(path, { force: true });

  return {
    async write(piece) {
      const at = position;
      position += piece.length;
      const write = file.then((handle) => writeAll(handle, piece, at));
      writes.add(write);
      try {
        await write;
      } finally {
        writes.delete(write);
      }
    },
    async finish() {
      await settled();
      return { bytes, read: () => readFile(path, bytes), discard };
    },
    async discard() {
      await settled().catch(() => {});
      await discard();
    },
  };
}

async function writeAll(handle: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
}

/** The file in pieces; the next one is read while the caller works on the one before. */
async function* readFile(
  path: string,
  bytes: number,
): ReturnType<ReceivedPayload["read"]> & AsyncGenerator<Uint8Array> {
  const handle = await open(path, "r");
  const buffers = [Buffer.allocUnsafeSlow(PIECE_BYTES), Buffer.allocUnsafeSlow(PIECE_BYTES)];
  const fetch = (position: number, buffer: Buffer) =>
    handle.read(buffer, 0, Math.min(PIECE_BYTES, bytes - position), position);
  let pending = fetch(0, buffers[0]!);
  try {
    for (let position = 0, turn = 0; position < bytes; turn ^= 1) {
      const { bytesRead, buffer } = await pending;
      if (bytesRead === 0) throw new Error(`${path} ends after ${position} of ${bytes} bytes`);
      position += bytesRead;
      if (position < bytes) pending = fetch(position, buffers[turn ^ 1]!);
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await pending.catch(() => {});
    await handle.close();
  }
}
