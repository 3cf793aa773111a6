import { open } from "node:fs/promises";
import { crc32, inflateRawSync } from "node:zlib";
import { ElenchusError, messageOf } from "../base/index.js";

/** A file in an archive. */
export interface ZipEntry {
  /** Its path, with `/` between folders. */
  readonly name: string;
  readonly bytes: number;
  /** Its content. @throws INPUT_UNREADABLE where it is not what the archive says */
  read(): Promise<Buffer>;
}

/**
 * Does `work` with the files of a zip archive, stored or deflated ones; folders are left out (PKWARE's APPNOTE 6.3.10,
 * sections 4.3 and 4.4). Nothing is read but what `work` asks for.
 * @throws INPUT_UNREADABLE for a damaged archive, an encrypted one, one of more than 4 GiB, or another packing
 */
export async function withZip<T>(path: string, work: (entries: ZipEntry[]) => Promise<T>): Promise<T> {
  const file = await open(path).catch((error: unknown) => {
    throw new ElenchusError("INPUT_UNREADABLE", `${path} cannot be read: ${messageOf(error)}.`);
  });
  try {
    const { size } = await file.stat();
    const part: Part = async (from, length) => {
      const bytes = Buffer.alloc(length);
      const { bytesRead } = from + length > size ? { bytesRead: 0 } : await file.read(bytes, 0, length, from);
      if (bytesRead < length) throw damaged(path, "it ends too early");
      return bytes;
    };
    return await work((await directory(path, part, size)).map((header) => entryOf(path, part, header)));
  } finally {
    await file.close();
  }
}

type Part = (from: number, length: number) => Promise<Buffer>;

interface Header {
  readonly name: string;
  readonly method: number;
  readonly checksum: number;
  readonly packed: number;
  readonly bytes: number;
  readonly place: number;
}

const END = { signature: 0x06054b50, length: 22, longestComment: 0xffff };
const ENTRY = { signature: 0x02014b50, length: 46 };
const LOCAL = { signature: 0x04034b50, length: 30 };
const ENCRYPTED = 1;
const STORED = 0;
const DEFLATED = 8;
/** In place of a number that only zip64 has room for. */
const BEYOND = 0xffffffff;

async function directory(path: string, part: Part, size: number): Promise<Header[]> {
  const length = Math.min(size, END.length + END.longestComment);
  const tail = await part(size - length, length);
  let end = tail.length - END.length;
  while (end >= 0 && tail.readUInt32LE(end) !== END.signature) end -= 1;
  if (end < 0) throw damaged(path, "it has no directory");
  const [count, bytes, start] = [
    tail.readUInt16LE(end + 10),
    tail.readUInt32LE(end + 12),
    tail.readUInt32LE(end + 16),
  ];
  if (start === BEYOND || bytes === BEYOND) throw damaged(path, "it is of the kind zip64, which is not read");
  const table = await part(start, bytes);
  const headers: Header[] = [];
  for (let place = 0; headers.length < count; ) {
    if (place + ENTRY.length > table.length || table.readUInt32LE(place) !== ENTRY.signature) {
      throw damaged(path, "its directory is cut");
    }
    const nameLength = table.readUInt16LE(place + 28);
    const name = table.toString("utf8", place + ENTRY.length, place + ENTRY.length + nameLength);
    if ((table.readUInt16LE(place + 8) & ENCRYPTED) !== 0) throw damaged(path, `${name} is encrypted`);
    headers.push({
      name,
      method: table.readUInt16LE(place + 10),
      checksum: table.readUInt32LE(place + 16),
      packed: table.readUInt32LE(place + 20),
      bytes: table.readUInt32LE(place + 24),
      place: table.readUInt32LE(place + 42),
    });
    place += ENTRY.length + nameLength + table.readUInt16LE(place + 30) + table.readUInt16LE(place + 32);
  }
  return headers.filter(({ name }) => !name.endsWith("/"));
}

function entryOf(path: string, part: Part, header: Header): ZipEntry {
  const { name, method, checksum, packed, bytes, place } = header;
  return {
    name,
    bytes,
    async read() {
      const local = await part(place, LOCAL.length);
      if (local.readUInt32LE(0) !== LOCAL.signature) throw damaged(path, `${name} is not where it should be`);
      // Name and further fields may differ in length from those of the directory.
      const start = place + LOCAL.length + local.readUInt16LE(26) + local.readUInt16LE(28);
      const content = unpacked(path, name, method, await part(start, packed), bytes);
      if (content.length !== bytes || crc32(content) !== checksum) {
        throw damaged(path, `the content of ${name} has another checksum`);
      }
      return content;
    },
  };
}

function unpacked(path: string, name: string, method: number, content: Buffer, bytes: number): Buffer {
  if (method === STORED) return content;
  if (method !== DEFLATED)
    throw damaged(path, `${name} is packed by method ${method}; only 0 and 8 are read`);
  try {
    return inflateRawSync(content, { maxOutputLength: Math.max(1, bytes) });
  } catch (error) {
    throw damaged(path, `${name} cannot be unpacked (${messageOf(error)})`);
  }
}

function damaged(path: string, found: string): ElenchusError {
  return new ElenchusError(
    "INPUT_UNREADABLE",
    `The archive ${path} cannot be read: ${found}. Fetch it anew, or unpack it by other means and name the folder.`,
  );
}
