import { crc32, deflateRawSync } from "node:zlib";

/** A file of an archive to be. */
export interface ZipFile {
  readonly name: string;
  readonly content: string | Buffer;
  /** Default: deflated. */
  readonly stored?: boolean;
}

/** Writes a zip archive, by the layout of PKWARE's APPNOTE. */
export function zipArchive(files: readonly ZipFile[], comment = ""): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let place = 0;
  for (const { name, content, stored = false } of files) {
    const bytes = Buffer.from(content);
    const packed = stored ? bytes : deflateRawSync(bytes);
    const named = Buffer.from(name);
    const shared = Buffer.alloc(26);
    shared.writeUInt16LE(20, 0);
    shared.writeUInt16LE(stored ? 0 : 8, 4);
    shared.writeUInt32LE(crc32(bytes), 10);
    shared.writeUInt32LE(packed.length, 14);
    shared.writeUInt32LE(bytes.length, 18);
    shared.writeUInt16LE(named.length, 22);
    // The local header has a field of four bytes that the directory does not have.
    const local = Buffer.from(shared);
    local.writeUInt16LE(4, 24);
    const entry = Buffer.concat([Buffer.from("PK\x03\x04", "latin1"), local, named, Buffer.alloc(4), packed]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(place, 10);
    directory.push(
      Buffer.concat([Buffer.from("PK\x01\x02", "latin1"), Buffer.alloc(2), shared, rest, named]),
    );
    parts.push(entry);
    place += entry.length;
  }
  const table = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", 0, "latin1");
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(table.length, 12);
  end.writeUInt32LE(place, 16);
  end.writeUInt16LE(comment.length, 20);
  return Buffer.concat([...parts, table, end, Buffer.from(comment)]);
}
