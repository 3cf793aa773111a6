/*
 * TensorBoard's event files: TFRecords (length, its checksum, data, its checksum) of Event messages of protocol
 * buffers, as tensorflow/core/util/event.proto and summary.proto number their fields.
 */

/** The first record of a file. @param seconds since 1970 */
export function versionRecord(seconds: number): Buffer {
  return record(Buffer.concat([double(1, seconds), bytes(3, Buffer.from("brain.Event:2"))]));
}

/** Numbers at one step, by tag. @param seconds since 1970 */
export function scalarsRecord(step: number, seconds: number, scalars: ReadonlyMap<string, number>): Buffer {
  const values = [...scalars].map(([tag, value]) =>
    bytes(1, Buffer.concat([bytes(1, Buffer.from(tag)), float(2, value)])),
  );
  return record(Buffer.concat([double(1, seconds), integer(2, step), bytes(5, Buffer.concat(values))]));
}

function record(data: Buffer): Buffer {
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(data.length));
  return Buffer.concat([length, checksum(length), data, checksum(data)]);
}

/** CRC-32C, rotated and shifted, so that checksums of data that hold checksums are no worse. */
function checksum(data: Buffer): Buffer {
  const crc = crc32c(data);
  const masked = Buffer.alloc(4);
  masked.writeUInt32LE((((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0);
  return masked;
}

/** CRC-32C (Castagnoli), as RFC 3720, appendix B.4, has it. */
export function crc32c(data: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of data) crc = TABLE[(crc ^ byte) & 0xff]! ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
  return crc;
});

/** Wire types of protocol buffers. */
const VARINT = 0;
const FIXED64 = 1;
const LENGTH = 2;
const FIXED32 = 5;

function bytes(field: number, value: Buffer): Buffer {
  return Buffer.concat([varint((field << 3) | LENGTH), varint(value.length), value]);
}

function integer(field: number, value: number): Buffer {
  return Buffer.concat([varint((field << 3) | VARINT), varint(value)]);
}

function double(field: number, value: number): Buffer {
  const fixed = Buffer.alloc(8);
  fixed.writeDoubleLE(value);
  return Buffer.concat([varint((field << 3) | FIXED64), fixed]);
}

function float(field: number, value: number): Buffer {
  const fixed = Buffer.alloc(4);
  fixed.writeFloatLE(value);
  return Buffer.concat([varint((field << 3) | FIXED32), fixed]);
}

function varint(value: number): Buffer {
  const groups: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Buffer.from([...groups, rest]);
    groups.push((rest % 128) | 128);
  }
}
