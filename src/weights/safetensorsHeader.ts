import { z } from "zod";
import { ElenchusError, messageOf, ownValue } from "../base/index.js";
import { layoutOf } from "./layout.js";
import type { WeightDtype, Weights } from "./weights.js";

/** The longest header that is read, as in the format's reference implementation. */
const LONGEST_HEADER = 100_000_000;
/** The file begins with the length of its header in so many bytes. */
export const LENGTH_BYTES = 8;
/** What arrays are written as. */
const WRITTEN: Readonly<Record<WeightDtype, StoredDtype>> = { float32: "F32", int32: "I32", uint8: "U8" };

/** Element types that a file may hold and that are read, with their bytes and what they are read as. */
export const STORED_DTYPES = {
  F32: { bytes: 4, dtype: "float32" },
  F16: { bytes: 2, dtype: "float32" },
  BF16: { bytes: 2, dtype: "float32" },
  I32: { bytes: 4, dtype: "int32" },
  U8: { bytes: 1, dtype: "uint8" },
} as const satisfies Record<string, { bytes: number; dtype: WeightDtype }>;

export type StoredDtype = keyof typeof STORED_DTYPES;

/** Bytes of the format's other element types: published models carry masks and places in them, which nobody reads. */
const OTHER_DTYPES: Readonly<Record<string, number>> = {
  BOOL: 1,
  I8: 1,
  F8_E4M3: 1,
  F8_E5M2: 1,
  I16: 2,
  U16: 2,
  U32: 4,
  F64: 8,
  I64: 8,
  U64: 8,
};

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

/** Where an array lies. */
export interface ArrayEntry {
  readonly name: string;
  /** Element type; `storedDtype` says how it is read. */
  readonly stored: string;
  readonly shape: readonly number[];
  readonly begin: number;
  readonly bytes: number;
}

/**
 * The beginning of a file with that content: length and header, padded to a multiple of 8 bytes.
 * @throws WEIGHTS_INVALID when an array does not fit its own shape or dtype, or bears the reserved name
 */
export function encodeHeader({ arrays, metadata }: SafetensorsContent): Uint8Array {
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
    field(name, { dtype: WRITTEN[array.dtype], shape: array.shape, data_offsets: [offset, end] });
    offset = end;
  }

  const json = Buffer.from(`{${fields.join(",")}}`);
  const padded = Math.ceil(json.length / 8) * 8;
  const header = Buffer.alloc(LENGTH_BYTES + padded, " ");
  header.writeBigUInt64LE(BigInt(padded));
  json.copy(header, LENGTH_BYTES);
  return header;
}

/**
 * The length of the header, from the file's first bytes.
 * @throws CHECKPOINT_INVALID when the file is too short for it, or it is longer than 100 MB
 */
export function headerLength(prefix: Buffer, fileSize: number, path: string): number {
  if (prefix.length < LENGTH_BYTES) {
    throw invalidCheckpoint(
      path,
      fileSize,
      `the file ends here; a safetensors file begins with ${LENGTH_BYTES} bytes.`,
    );
  }
  const length = Number(prefix.readBigUInt64LE());
  const limit = Math.min(LONGEST_HEADER, fileSize - LENGTH_BYTES);
  if (length <= limit) return length;
  throw invalidCheckpoint(
    path,
    0,
    `a header of ${length} bytes is announced; at most ${limit} are possible.`,
  );
}

/**
 * Reads a header and checks it against the size of its file.
 * @throws CHECKPOINT_INVALID naming file and byte
 */
export function decodeHeader(bytes: Uint8Array, fileSize: number, path: string): SafetensorsHeader {
  const metadata = new Map<string, string>();
  const entries: ArrayEntry[] = [];
  const dataStart = LENGTH_BYTES + bytes.length;
  for (const [name, value] of Object.entries(parseObject(bytes, path))) {
    if (name === "__metadata__") {
      for (const [key, text] of metadataEntries(value, path)) metadata.set(key, text);
    } else {
      entries.push(parseEntry(name, value, dataStart, path));
    }
  }
  entries.sort((a, b) => a.begin - b.begin || a.bytes - b.bytes);
  checkLayout(entries, dataStart, fileSize, path);
  return { metadata, entries };
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
    `${at}: ${found} Fetch a published file anew; of a run's checkpoints use another: with this one deleted, the run resumes from the one before.`,
    { cause, details: { file: path, offset } },
  );
}

const entrySchema = z.strictObject({
  dtype: z.string(),
  shape: z.array(z.int().nonnegative()),
  data_offsets: z.tuple([z.int().nonnegative(), z.int().nonnegative()]),
});

function parseObject(bytes: Uint8Array, path: string): object {
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
  const { shape, data_offsets, dtype: stored } = parsed.data;
  const size = isStored(stored) ? STORED_DTYPES[stored].bytes : ownValue(OTHER_DTYPES, stored);
  if (size === undefined) throw unreadable(name, stored, path);
  const bytes = data_offsets[1] - data_offsets[0];
  const expected = shape.reduce((product, length) => product * length, size);
  if (bytes !== expected) {
    throw invalidCheckpoint(
      path,
      dataStart + data_offsets[0],
      `the array ${label} has ${bytes} bytes; its shape [${shape.join(", ")}] and dtype ${stored} want ${expected}.`,
    );
  }
  return { name, stored, shape, begin: dataStart + data_offsets[0], bytes };
}

/** The element type of an array that is read. @throws CHECKPOINT_INVALID where it can only be passed over */
export function storedDtype({ name, stored }: ArrayEntry, path: string): StoredDtype {
  if (isStored(stored)) return stored;
  throw unreadable(name, stored, path);
}

function unreadable(name: string, stored: string, path: string): ElenchusError {
  return invalidCheckpoint(
    path,
    LENGTH_BYTES,
    `the array ${JSON.stringify(name)} has dtype ${JSON.stringify(stored)}; expected ${Object.keys(STORED_DTYPES).join(", ")}.`,
  );
}

function isStored(dtype: string): dtype is StoredDtype {
  return Object.hasOwn(STORED_DTYPES, dtype);
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
