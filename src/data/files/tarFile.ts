import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { createGunzip } from "node:zlib";
import { ElenchusError, messageOf } from "../../base/index.js";
import { damaged, isGzip } from "./wholeFile.js";

/** A file in an archive. */
export interface TarEntry {
  /** Its path, with `/` between folders. */
  readonly name: string;
  readonly bytes: number;
  /** Its content, piece by piece; to be read before the next entry is asked for, or not at all. */
  content(): AsyncGenerator<Buffer>;
}

/**
 * The regular files of a tar archive, gzipped or not, in its order (POSIX.1-1988 ustar, with GNU's and pax's long
 * names). No more is held than a piece.
 * @throws DATA_INVALID with the byte of the unpacked archive at which it is damaged
 */
export async function* tarFiles(file: string): AsyncGenerator<TarEntry> {
  const source = new ByteSource(file, await piecesOf(file));
  try {
    let longName: string | undefined;
    for (;;) {
      const at = source.offset;
      const header = await source.take(BLOCK, "the header of a file");
      if (header.every((byte) => byte === 0)) return;
      checkHeader(file, header, at);
      const bytes = numberIn(header, 124, 12);
      const kind = String.fromCharCode(header[156]!);
      if (kind === "L" || kind === "x") {
        if (bytes > LONGEST_NAME) throw damaged(file, `a name of ${bytes} bytes`, "an archive of data", at);
        const content = await source.take(bytes, "a long name");
        longName = kind === "L" ? textIn(content, 0, bytes) : paxPath(content.toString("utf8"));
        await source.skip(padding(bytes));
        continue;
      }
      const name = longName ?? nameIn(header);
      longName = undefined;
      let left = bytes;
      if (kind === "0" || kind === "\0") {
        yield {
          name,
          bytes,
          async *content() {
            while (left > 0) {
              const piece = await source.some(left, name);
              left -= piece.length;
              yield piece;
            }
          },
        };
      }
      await source.skip(left + padding(bytes));
    }
  } finally {
    await source.close();
  }
}

const BLOCK = 512;
const LONGEST_NAME = 65_536;

function padding(bytes: number): number {
  return (BLOCK - (bytes % BLOCK)) % BLOCK;
}

function checkHeader(file: string, header: Buffer, offset: number): void {
  const told = numberIn(header, 148, 8);
  // The checksum counts its own field as spaces.
  const sum = header.reduce((all, byte, place) => all + (place >= 148 && place < 156 ? 32 : byte), 0);
  if (told === sum) return;
  throw damaged(file, "there is no header of a file", "a tar archive, perhaps gzipped", offset);
}

function numberIn(header: Buffer, start: number, length: number): number {
  const digits = textIn(header, start, length).trim();
  return /^[0-7]+$/.test(digits) ? Number.parseInt(digits, 8) : Number.NaN;
}

function nameIn(header: Buffer): string {
  const prefix = textIn(header, 257, 5) === "ustar" ? textIn(header, 345, 155) : "";
  const name = textIn(header, 0, 100);
  return prefix === "" ? name : `${prefix}/${name}`;
}

function textIn(bytes: Buffer, start: number, length: number): string {
  const end = bytes.indexOf(0, start);
  return bytes.toString("utf8", start, end < 0 ? start + length : Math.min(end, start + length));
}

/** Of records such as `25 path=a/b`. */
function paxPath(records: string): string | undefined {
  return /^\d+ path=(.*)$/m.exec(records)?.[1];
}

async function piecesOf(file: string): Promise<AsyncIterator<Buffer>> {
  const handle = await open(file).catch((error: unknown) => {
    throw damaged(file, `it cannot be read (${messageOf(error)})`, "a file that can be read");
  });
  const start = Buffer.alloc(2);
  await handle.read(start, 0, 2, 0).finally(() => handle.close());
  const source = createReadStream(file, { highWaterMark: 2 ** 18 });
  if (!isGzip(start)) return source[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  const content = createGunzip({ chunkSize: 2 ** 18 });
  source.on("error", (error) => content.destroy(error));
  content.on("close", () => source.destroy());
  return source.pipe(content)[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
}

/** Bytes in their order, as many as are asked for. */
class ByteSource {
  offset = 0;
  readonly #file: string;
  readonly #pieces: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(file: string, pieces: AsyncIterator<Buffer>) {
    this.#file = file;
    this.#pieces = pieces;
  }

  /** At least one byte, at most so many. @throws DATA_INVALID at the end */
  async some(most: number, what: string): Promise<Buffer> {
    while (this.#rest.length === 0) {
      const next = await this.#next(what);
      if (next.done)
        throw damaged(this.#file, `the archive ends within ${what}`, "a whole archive", this.offset);
      this.#rest = next.value;
    }
    const piece = this.#rest.subarray(0, most);
    this.#rest = this.#rest.subarray(piece.length);
    this.offset += piece.length;
    return piece;
  }

  async take(count: number, what: string): Promise<Buffer> {
    const pieces: Buffer[] = [];
    for (let left = count; left > 0; ) {
      const piece = await this.some(left, what);
      left -= piece.length;
      pieces.push(piece);
    }
    return Buffer.concat(pieces);
  }

  async skip(count: number): Promise<void> {
    for (let left = count; left > 0; ) left -= (await this.some(left, "a file")).length;
  }

  async close(): Promise<void> {
    await this.#pieces.return?.();
  }

  async #next(what: string): Promise<IteratorResult<Buffer>> {
    try {
      return await this.#pieces.next();
    } catch (error) {
      if (error instanceof ElenchusError) throw error;
      throw damaged(
        this.#file,
        `the archive is damaged within ${what} (${messageOf(error)})`,
        "a whole archive",
        this.offset,
      );
    }
  }
}
