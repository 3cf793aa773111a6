import { type FileHandle, open } from "node:fs/promises";
import { z } from "zod";
import { ElenchusError, messageOf, writeAtomic } from "../base/index.js";
import { layoutOf } from "./layout.js";
import type { WeightArray, WeightData, WeightDtype, Weights } from "./weights.js";

/** The longest header that is read, as in the format's reference implementation. */
const LONGEST_HEADER = 100_000_000;
const LENGTH_BYTES = 8;
const READ_BYTES = 64 * 1024 ** 2;
const DTYPES: Readonly<Record<WeightDtype, string>> = { float32: "F32", int32: "I32", uint8: "U8" };

/** Named arrays and free text, as one file holds them. */
export interface SafetensorsContent {
  readonly arrays: Weights;
  readonly metadata: ReadonlyMap<string, string>;
}

/** What the header says, checked against the length of the file. */
export interface SafetensorsHeader {
  readonly metadata: ReadonlyMap<string, string>;
  /** In the order in which they lie in the file. `begin` counts from the start of the file. */
  readonly entries: readonly ArrayEntry[];
}

interface ArrayEntry {
  readonly name: string;
  readonly dtype: WeightDtype;
  readonly shape: readonly number[];
  readonly begin: number;
  readonly bytes: number;
}

/**
 * Writes named arrays as a safetensors file, whole or not at all, in the order of the map. The arrays go to
 * the file as they lie in memory; nothing is copied. Like the format, this assumes a little-endian machine.
 * @throws WEIGHTS_INVALID when an array does not fit its own shape or dtype, or bears the reserved name
 */
export async function writeSafetensors(path: string, content: SafetensorsContent): Promise<void> {
  const parts: Uint8Array[] = [headerOf(content)];
  for (const { data } of content.arrays.values()) {
    parts.push(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
  }
  await writeAtomic(path, parts);
}

/**
 * Reads a safetensors file straight into new typed arrays. Arrays come in the order in which they lie in the
 * file, which is the writer's.
 * @param wanted which arrays to read; absent: all
 * @throws CHECKPOINT_INVALID naming file and byte when the file is missing, torn, or breaks the format: header
 *   longer than 100 MB or not JSON, unknown dtype, offsets that overlap, leave a hole or leave the file
 */
export async function readSafetensors(
  path: string,
  wanted: (name: string) => boolean = () => true,
): Promise<SafetensorsContent> {
  return withFile(path, async (file) => {
    const { metadata, entries } = await headerIn(file, path);
    const arrays = new Map<string, WeightArray>();
    for (const { name, dtype, shape, begin, bytes } of entries) {
      if (!wanted(name)) continue;
      const data = emptyData(dtype, bytes);
      await readFully(file, path, new Uint8Array(data.buffer), begin);
      arrays.set(name, { dtype, shape, data });
    }
    return { arrays, metadata };
  });
}

/** Reads and checks the header alone. @throws CHECKPOINT_INVALID as `readSafetensors` */
export async function readSafetensorsHeader(path: string): Promise<SafetensorsHeader> {
  return withFile(path, (file) => headerIn(file, path));
}

/** The error of a checkpoint or safetensors file that cannot be used. */
export function invalidCheckpoint(
  path: string,
  offset: number | null,
  found: string,
  cause?: unknown,
): ElenchusError {
  const at = offset === null ? path : `${path}, byte ${offset}`;
  return new ElenchusError(
    "CHECKPOINT_INVALID",
    `${at}: ${found} Use another checkpoint; deleting this one lets a run resume from the one before.`,
    { cause, details: { file: path, offset } },
  );
}

function headerOf({ arrays, metadata }: SafetensorsContent): Uint8Array {
  layoutOf(arrays);
  if (arrays.has("__metadata__")) {
    throw new ElenchusError(
      "WEIGHTS_INVALID",
      "`__metadata__` cannot be the name of an array: choose another.",
    );
  }
  const fields: string[] = [];
  // By hand: as properties of an object, names that are whole numbers would change places and `__proto__` vanish.
  const field = (name: string, value: unknown) =>
    fields.push(`${JSON.stringify(name)}:${JSON.stringify(value)}`);

  if (metadata.size > 0) field("__metadata__", Object.fromEntries(metadata));
  let offset = 0;
  for (const [name, array] of arrays) {
    const end = offset + array.data.byteLength;
    field(name, { dtype: DTYPES[array.dtype], shape: array.shape, data_offsets: [offset, end] });
    offset = end;
  }

  const json = Buffer.from(`{${fields.join(",")}}`);
  const padded = Math.ceil(json.length / 8) * 8;
  const header = Buffer.alloc(LENGTH_BYTES + padded, " ");
  header.writeBigUInt64LE(BigInt(padded));
  json.copy(header, LENGTH_BYTES);
  return header;
}

const ARRAYS = { float32: Float32Array, int32: Int32Array, uint8: Uint8Array } as const;

function emptyData(dtype: WeightDtype, bytes: number): WeightData & { buffer: ArrayBuffer } {
  const kind = ARRAYS[dtype];
  return new kind(bytes / kind.BYTES_PER_ELEMENT);
}

const entrySchema = z.strictObject({
  dtype: z.string(),
  shape: z.array(z.int().nonnegative()),
  data_offsets: z.tuple([z.int().nonnegative(), z.int().nonnegative()]),
});

async function headerIn(file: FileHandle, path: string): Promise<SafetensorsHeader> {
  const { size } = await file.stat();
  if (size < LENGTH_BYTES) {
    throw invalidCheckpoint(
      path,
      size,
      `the file ends here; a safetensors file begins with ${LENGTH_BYTES} bytes.`,
    );
  }
  const prefix = Buffer.alloc(LENGTH_BYTES);
  await readFully(file, path, prefix, 0);
  const length = Number(prefix.readBigUInt64LE());
  if (length > LONGEST_HEADER || LENGTH_BYTES + length > size) {
    const limit = Math.min(LONGEST_HEADER, size - LENGTH_BYTES);
    throw invalidCheckpoint(
      path,
      0,
      `a header of ${length} bytes is announced; at most ${limit} are possible.`,
    );
  }
  const bytes = Buffer.alloc(length);
  await readFully(file, path, bytes, LENGTH_BYTES);

  const metadata = new Map<string, string>();
  const entries: ArrayEntry[] = [];
  const dataStart = LENGTH_BYTES + length;
  for (const [name, value] of Object.entries(parseObject(bytes, path))) {
    if (name === "__metadata__") {
      for (const [key, text] of metadataEntries(value, path)) metadata.set(key, text);
    } else {
      entries.push(parseEntry(name, value, dataStart, path));
    }
  }
  entries.sort((a, b) => a.begin - b.begin || a.bytes - b.bytes);
  checkLayout(entries, dataStart, size, path);
  return { metadata, entries };
}

function parseObject(bytes: Buffer, path: string): object {
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  } catch (error) {
    throw invalidCheckpoint(path, LENGTH_BYTES, `the header is not JSON: ${messageOf(error)}.`, error);
  }
  throw invalidCheckpoint(path, LENGTH_BYTES, "the header is JSON, but not an object.");
}

function metadataEntries(value: unknown, path: string): [string, string][] {
  const parsed =
    typeof value === "object" && value !== null && !Array.isArray(value) ? Object.entries(value) : null;
  if (parsed?.every(([, text]) => typeof text === "string")) return parsed as [string, string][];
  throw invalidCheckpoint(path, LENGTH_BYTES, "`__metadata__` is not a map from text to text.");
}

function parseEntry(name: string, value: unknown, dataStart: number, path: string): ArrayEntry {
  const label = JSON.stringify(name);
  const parsed = entrySchema.safeParse(value);
  if (!parsed.success) {
    throw invalidCheckpoint(
      path,
      LENGTH_BYTES,
      `the entry ${label} has not the fields dtype, shape and data_offsets of a safetensors array.`,
    );
  }
  const { shape, data_offsets, dtype: written } = parsed.data;
  const dtype = (Object.keys(DTYPES) as WeightDtype[]).find((own) => DTYPES[own] === written);
  if (dtype === undefined) {
    throw invalidCheckpoint(
      path,
      LENGTH_BYTES,
      `the array ${label} has dtype ${JSON.stringify(written)}; expected F32, I32 or U8.`,
    );
  }
  const bytes = data_offsets[1] - data_offsets[0];
  const expected = shape.reduce((product, size) => product * size, ARRAYS[dtype].BYTES_PER_ELEMENT);
  if (bytes !== expected) {
    throw invalidCheckpoint(
      path,
      dataStart + data_offsets[0],
      `the array ${label} has ${bytes} bytes; its shape [${shape.join(", ")}] and dtype ${written} want ${expected}.`,
    );
  }
  return { name, dtype, shape, begin: dataStart + data_offsets[0], bytes };
}

/** The arrays must lie end to end from the header to the end of the file. */
function checkLayout(entries: readonly ArrayEntry[], dataStart: number, size: number, path: string): void {
  let expected = dataStart;
  for (const { name, begin, bytes } of entries) {
    if (begin !== expected) {
      const fault = begin < expected ? "overlaps the one before it" : "leaves a hole before it";
      throw invalidCheckpoint(
        path,
        begin,
        `the array ${JSON.stringify(name)} ${fault}; expected it at ${expected}.`,
      );
    }
    expected = begin + bytes;
  }
  if (expected !== size) {
    throw invalidCheckpoint(path, size, `the file ends here, its arrays at byte ${expected}.`);
  }
}

async function withFile<T>(path: string, work: (file: FileHandle) => Promise<T>): Promise<T> {
  let file: FileHandle;
  try {
    file = await open(path, "r");
  } catch (error) {
    throw invalidCheckpoint(path, null, `the file cannot be opened: ${messageOf(error)}.`, error);
  }
  try {
    return await work(file);
  } catch (error) {
    if (error instanceof ElenchusError) throw error;
    throw invalidCheckpoint(path, null, `the file cannot be read: ${messageOf(error)}.`, error);
  } finally {
    await file.close();
  }
}

async function readFully(
  file: FileHandle,
  path: string,
  target: Uint8Array,
  position: number,
): Promise<void> {
  let done = 0;
  while (done < target.length) {
    const length = Math.min(READ_BYTES, target.length - done);
    const { bytesRead } = await file.read(target, done, length, position + done);
    if (bytesRead === 0)
      throw invalidCheckpoint(path, position + done, "the file ends here, within an array.");
    done += bytesRead;
  }
}
