import { randomUUID } from "node:crypto";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder } from "../../base/index.js";
import { fileSink } from "./fileSink.js";
import { memorySink } from "./memorySink.js";
import type { PayloadSink } from "./payloadSink.js";
import { createTurns } from "./turns.js";

/** Where received payloads wait. */
export interface PayloadStore {
  /** Room for a payload of so many bytes. */
  sink(bytes: number): PayloadSink;
  /** Removes whatever is left in the folder. */
  close(): Promise<void>;
}

export interface PayloadStoreOptions {
  /** A folder for this store alone, made when it is first needed. Files of a store that died are removed then. */
  readonly folder: string;
  /** Bytes that all payloads in memory may take together. Default 64 MiB. */
  readonly memoryBytes?: number;
}

const MEMORY_BYTES = 64 * 1024 ** 2;
/** A payload takes at most this part of the memory, so that one does not push out the many. */
const LARGEST_SHARE = 1 / 4;
const SUFFIX = ".payload";

/**
 * A store that keeps small payloads in memory and the others in files, so that memory is bounded by
 * `memoryBytes` whatever the number and size of payloads that wait.
 */
export function createPayloadStore({
  folder,
  memoryBytes = MEMORY_BYTES,
}: PayloadStoreOptions): PayloadStore {
  const turns = createTurns();
  let inMemory = 0;
  let ready: Promise<void> | undefined;

  const prepare = async () => {
    await makeFolder(folder, 0o700);
    await clear(folder);
  };
  return {
    sink(bytes) {
      if (bytes <= memoryBytes * LARGEST_SHARE && inMemory + bytes <= memoryBytes) {
        inMemory += bytes;
        return memorySink(bytes, turns, () => {
          inMemory -= bytes;
        });
      }
      ready ??= prepare();
      return fileSink(bytes, ready, join(folder, `${randomUUID()}${SUFFIX}`));
    },
    async close() {
      if (!ready) return;
      await ready.catch(() => {});
      await clear(folder);
    },
  };
}

async function clear(folder: string): Promise<void> {
  const files = await readdir(folder).catch(() => []);
  await Promise.all(
    files.filter((file) => file.endsWith(SUFFIX)).map((file) => rm(join(folder, file), { force: true })),
  );
}
