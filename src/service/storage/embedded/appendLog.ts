import { randomBytes } from "node:crypto";
import { type BigIntStats, constants } from "node:fs";
import { type FileHandle, open, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { crc32 } from "node:zlib";
import { makeFolder, syncFolder } from "../../../base/index.js";

/** A record as it is added. */
export interface NewRecord {
  /** One line of text without a tab. */
  readonly head: string;
  /** JSON without line breaks. */
  readonly body: string;
}

/** A record as it was found, with the place of its body in the file, in bytes. */
export interface FoundRecord {
  readonly head: string;
  readonly body: Buffer;
  readonly start: number;
}

const CHUNK = 1 << 20;
const LINE_FEED = 0x0a;
const TAB = 0x09;
const CHECKSUM_DIGITS = 8;

/**
 * A file that only grows, and that several processes may grow at once. Three things make that work without a lock:
 *
 * - A file opened for appending is written behind its end in one piece, so the records of all writers lie one after
 *   the other, and everyone reads them in the same order. What a record does is decided by that order alone.
 * - A record begins with a line feed of its own. What a killed writer left torn ends there, and its checksum
 *   tells it from a record.
 * - A writer learns what became of its record by reading it back.
 *
 * Records that wait together are written and flushed together. Local file systems only: over NFS two machines may
 * overwrite each other.
 */
export class AppendLog {
  readonly #path: string;
  readonly #make: boolean;
  #batch: { parts: Buffer[]; done: Promise<void> } | undefined;
  #written: Promise<void> = Promise.resolve();
  #reading: Promise<void> = Promise.resolve();
  /** Up to where the file was read, and which file that was. */
  #seen = 0;
  #identity: string | undefined;

  /** @param make whether a file that is missing is made by who writes */
  constructor(path: string, { make = true } = {}) {
    this.#path = path;
    this.#make = make;
  }

  /** Bytes read so far. */
  get size(): number {
    return this.#seen;
  }

  /** Adds records; they are flushed when it resolves. Where there is no file one is made, or nothing is done. */
  append(records: readonly NewRecord[]): Promise<void> {
    if (this.#batch === undefined) {
      const parts: Buffer[] = [];
      const done = this.#written.then(() => {
        this.#batch = undefined;
        return this.#write(Buffer.concat(parts));
      });
      this.#written = done.catch(() => {});
      this.#batch = { parts, done };
    }
    for (const record of records) this.#batch.parts.push(encoded(record));
    return this.#batch.done;
  }

  /**
   * Hands over the records that were added since the last call, in their order.
   * @param forget called first where the file is another one than before, or gone: what was handed over is void
   */
  refresh(see: (record: FoundRecord) => void, forget: () => void): Promise<void> {
    const read = this.#reading.then(() => this.#read(see, forget));
    this.#reading = read.catch(() => {});
    return read;
  }

  /** A handle to read places of records with; undefined where the file that was read is gone. Close it. */
  async openToRead(): Promise<FileHandle | undefined> {
    const file = await open(this.#path, "r").catch(unlessMissing);
    if (file === undefined || identity(await file.stat({ bigint: true })) === this.#identity) return file;
    await file.close();
  }

  async #write(bytes: Buffer): Promise<void> {
    for (;;) {
      const file = await this.#openToWrite();
      if (file === undefined) return;
      try {
        const { bytesWritten } = await file.write(bytes);
        if (bytesWritten < bytes.length) throw new Error("the disk took only a part of what was written");
        await file.datasync();
        // Removed by another process meanwhile: the records belong into the file that follows.
        if ((await file.stat()).nlink > 0) return;
      } finally {
        await file.close();
      }
    }
  }

  async #openToWrite(): Promise<FileHandle | undefined> {
    const present = await open(this.#path, constants.O_WRONLY | constants.O_APPEND).catch(unlessMissing);
    if (present !== undefined || !this.#make) return present;
    const folder = dirname(this.#path);
    for (;;) {
      await makeFolder(folder);
      const made = await open(this.#path, "a").catch(unlessMissing);
      // Removed with its folder in between.
      if (made === undefined) continue;
      await syncFolder(folder);
      await syncFolder(dirname(folder));
      return made;
    }
  }

  async #read(see: (record: FoundRecord) => void, forget: () => void): Promise<void> {
    const found = await stat(this.#path, { bigint: true }).catch(unlessMissing);
    const present = found && identity(found);
    if (present !== this.#identity) {
      if (this.#identity !== undefined) forget();
      this.#identity = present;
      this.#seen = 0;
    }
    if (found === undefined || Number(found.size) <= this.#seen) return;
    // Where the file was exchanged between the two calls the next refresh starts over.
    const file = await this.openToRead();
    if (file === undefined) return;
    try {
      this.#seen = await scan(file, this.#seen, see);
    } finally {
      await file.close();
    }
  }
}

/** Inodes are used again; with the time of birth they tell one file from another. */
function identity({ ino, birthtimeNs }: BigIntStats): string {
  return `${ino} ${birthtimeNs}`;
}

/** Names one record among those of all processes. */
export function recordNames(): () => string {
  const own = randomBytes(6).toString("base64url");
  let count = 0;
  return () => `${own}${(count++).toString(36)}`;
}

/** A record as the bytes of its lines. */
export function encoded({ head, body }: NewRecord): Buffer {
  const text = Buffer.from(`${head}\t${body}`);
  return Buffer.concat([Buffer.from(`\n${checksum(text)} `), text, Buffer.from("\n")]);
}

function checksum(text: Buffer): string {
  return crc32(text).toString(16).padStart(CHECKSUM_DIGITS, "0");
}

/** @returns where the last whole line ends: what follows may still be in the writing */
async function scan(file: FileHandle, from: number, see: (record: FoundRecord) => void): Promise<number> {
  let lineStart = from;
  let rest = Buffer.alloc(0);
  for (;;) {
    const chunk = Buffer.allocUnsafe(CHUNK);
    const { bytesRead } = await file.read(chunk, 0, CHUNK, lineStart + rest.length);
    if (bytesRead === 0) return lineStart;
    const bytes = Buffer.concat([rest, chunk.subarray(0, bytesRead)]);
    let start = 0;
    for (let end = bytes.indexOf(LINE_FEED); end >= 0; end = bytes.indexOf(LINE_FEED, start)) {
      const record = decoded(bytes.subarray(start, end), lineStart + start);
      if (record !== undefined) see(record);
      start = end + 1;
    }
    lineStart += start;
    rest = bytes.subarray(start);
  }
}

/** The record in a line; undefined for an empty or a torn one. */
function decoded(line: Buffer, start: number): FoundRecord | undefined {
  const text = line.subarray(CHECKSUM_DIGITS + 1);
  const tab = text.indexOf(TAB);
  if (tab < 0 || line.toString("latin1", 0, CHECKSUM_DIGITS) !== checksum(text)) return undefined;
  return {
    head: text.toString("utf8", 0, tab),
    body: text.subarray(tab + 1),
    start: start + CHECKSUM_DIGITS + 1 + tab + 1,
  };
}

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}
