import { createHash } from "node:crypto";
import { closeSync, openSync } from "node:fs";
import { open } from "node:fs/promises";
import { z } from "zod";
import { BlockDataset, type RowFacts } from "./blockDataset.js";
import { FileBlock, type StoredNumbers } from "./rowBlock.js";

/** A data set before it is kept: its numbers row by row, and what is known of them. */
export interface StoredRows extends RowFacts {
  readonly numbers: StoredNumbers;
}

/**
 * The content of a file of rows, piece by piece: magic, length of the head as four bytes, the head in JSON, zeros up to
 * a multiple of eight, labels, owners where there are some, the numbers of all rows, and the SHA-256 of it all. Numbers
 * have the byte order of the machine, which the magic tells.
 */
export function* rowsFile(rows: StoredRows): Generator<Uint8Array> {
  const digest = createHash("sha256");
  for (const piece of pieces(rows)) {
    digest.update(piece);
    yield piece;
  }
  yield digest.digest();
}

/** Opens a file of rows, of which only labels and owners are held. Undefined where it is not as it was written. */
export async function openRows(file: string): Promise<BlockDataset | undefined> {
  const bytes = await checkedStart(file);
  if (bytes === undefined) return undefined;
  const { head, start } = bytes;
  const { rows, width, type, labels: labelType, groupNames, modalities, scale, classNames, ...facts } = head;
  // Copies: a Buffer may stand anywhere in one that it shares with others.
  const labelBytes = new Uint8Array(start.subarray(0, rows * 4)).buffer;
  const groupBytes = new Uint8Array(start.subarray(rows * 4)).buffer;
  const descriptor = openSync(file, "r");
  try {
    const offset = bytes.offset + start.length;
    return new BlockDataset(new FileBlock({ descriptor, file, offset, type }, rows, width), {
      ...facts,
      labels: labelType === "int32" ? new Int32Array(labelBytes) : new Float32Array(labelBytes),
      ...(groupNames && { groups: { names: groupNames, of: new Int32Array(groupBytes) } }),
      ...(modalities && {
        modalities: modalities.map(({ name, places }) => ({ name, places: Int32Array.from(places) })),
      }),
      ...(scale && { scale }),
      ...(classNames && { classNames }),
    });
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

const MAGIC = new Uint8Array([...Buffer.from("ELROWS1"), new Uint8Array(Uint16Array.of(1).buffer)[0]!]);
const DIGEST = 32;
const CHUNK = 2 ** 20;

const size = z.int().min(0);
const names = z.array(z.string());
const headSchema = z.object({
  rows: size,
  width: size,
  type: z.enum(["uint8", "float32"]),
  labels: z.enum(["int32", "float32"]),
  inputShape: z.array(size),
  classes: size,
  scale: z.object({ mean: z.array(z.number()), deviation: z.array(z.number()) }).optional(),
  groupNames: names.optional(),
  modalities: z.array(z.object({ name: z.string(), places: z.array(size) })).optional(),
  classNames: names.optional(),
});
type Head = z.output<typeof headSchema>;

function* pieces(rows: StoredRows): Generator<Uint8Array> {
  const { numbers, labels, groups, modalities, inputShape, classes, scale, classNames } = rows;
  const head: Head = {
    rows: labels.length,
    width: inputShape.reduce((product, each) => product * each, 1),
    type: numbers instanceof Uint8Array ? "uint8" : "float32",
    labels: labels instanceof Int32Array ? "int32" : "float32",
    inputShape: [...inputShape],
    classes,
    scale: scale && { mean: [...scale.mean], deviation: [...scale.deviation] },
    groupNames: groups && [...groups.names],
    modalities: modalities?.map(({ name, places }) => ({ name, places: [...places] })),
    classNames: classNames && [...classNames],
  };
  const text = Buffer.from(JSON.stringify(head));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(text.length);
  yield MAGIC;
  yield length;
  yield text;
  yield new Uint8Array(padding(text.length));
  for (const array of groups ? [labels, groups.of, numbers] : [labels, numbers]) {
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    for (let start = 0; start < bytes.length; start += CHUNK) yield bytes.subarray(start, start + CHUNK);
  }
}

function padding(headBytes: number): number {
  return (8 - ((MAGIC.length + 4 + headBytes) % 8)) % 8;
}

/** The head, labels and owners of a file whose digest is right, and the byte at which the labels begin. */
async function checkedStart(file: string) {
  const handle = await open(file).catch(() => undefined);
  if (handle === undefined) return undefined;
  try {
    const { size: length } = await handle.stat();
    const fixed = await bytesAt(handle, 0, MAGIC.length + 4);
    if (!fixed.subarray(0, MAGIC.length).equals(MAGIC)) return undefined;
    const headBytes = fixed.readUInt32LE(MAGIC.length);
    const offset = fixed.length + headBytes + padding(headBytes);
    if (offset > length) return undefined;
    const text = (await bytesAt(handle, fixed.length, headBytes)).toString();
    const head = headSchema.parse(JSON.parse(text));
    const known = head.rows * 4 * (head.groupNames === undefined ? 1 : 2);
    const numbers = head.rows * head.width * (head.type === "uint8" ? 1 : 4);
    if (offset + known + numbers + DIGEST !== length) return undefined;
    const digest = createHash("sha256");
    for (let start = 0; start < length - DIGEST; start += CHUNK) {
      digest.update(await bytesAt(handle, start, Math.min(CHUNK, length - DIGEST - start)));
    }
    if (!digest.digest().equals(await bytesAt(handle, length - DIGEST, DIGEST))) return undefined;
    return { head, offset, start: await bytesAt(handle, offset, known) };
  } catch {
    // What cannot be read as rows is made anew.
    return undefined;
  } finally {
    await handle.close();
  }
}

async function bytesAt(
  handle: Awaited<ReturnType<typeof open>>,
  offset: number,
  length: number,
): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  for (let read = 0; read < length; ) {
    const { bytesRead } = await handle.read(bytes, read, length - read, offset + read);
    if (bytesRead === 0) return bytes.subarray(0, read);
    read += bytesRead;
  }
  return bytes;
}
