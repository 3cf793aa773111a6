import { type FileHandle, open } from "node:fs/promises";
import { ElenchusError, messageOf, writeAtomic } from "../base/index.js";
import { widen } from "./halfPrecision.js";
import {
  type ArrayEntry,
  decodeHeader,
  encodeHeader,
  headerLength,
  invalidCheckpoint,
  LENGTH_BYTES,
  type SafetensorsContent,
  type SafetensorsHeader,
  STORED_DTYPES,
  storedDtype,
} from "./safetensorsHeader.js";
import type { WeightArray, WeightData, WeightDtype } from "./weights.js";

const READ_BYTES = 16 * 1024 ** 2;

/**
 * Writes named arrays as a safetensors file, whole or not at all, in the order of the map. The arrays go to
 * the file as they lie in memory; nothing is copied. Like the format, this assumes a little-endian machine.
 * @throws WEIGHTS_INVALID when an array does not fit its own shape or dtype, or bears the reserved name
 */
export async function writeSafetensors(path: string, content: SafetensorsContent): Promise<void> {
  await writeAtomic(path, partsOf(content));
}

/** Made one by one: arrays that are only made when they are asked for need not exist together. */
function* partsOf(content: SafetensorsContent): Generator<Uint8Array> {
  yield encodeHeader(content);
  for (const { data } of content.arrays.values()) {
    yield new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  }
}

/**
 * Reads a safetensors file straight into new typed arrays; F16 and BF16 become 32-bit floats. Arrays come in the
 * order in which they lie in the file, which is the writer's.
 * @param wanted which arrays to read; absent: all
 * @throws CHECKPOINT_INVALID naming file and byte when the file is missing, torn, or breaks the format: header
 *   longer than 100 MB or not JSON, a dtype that is not read, offsets that overlap, leave a hole or leave the file
 */
export async function readSafetensors(
  path: string,
  wanted: (name: string) => boolean = () => true,
): Promise<SafetensorsContent> {
  return withFile(path, async (file) => {
    const { metadata, entries } = await headerIn(file, path);
    const arrays = new Map<string, WeightArray>();
    for (const entry of entries) {
      if (wanted(entry.name)) arrays.set(entry.name, await readArray(file, path, entry));
    }
    return { arrays, metadata };
  });
}

/** Reads and checks the header alone. @throws CHECKPOINT_INVALID as `readSafetensors` */
export async function readSafetensorsHeader(path: string): Promise<SafetensorsHeader> {
  return withFile(path, (file) => headerIn(file, path));
}

/**
 * Reads arrays one by one: none is held here once `use` is through with it.
 * @throws CHECKPOINT_INVALID as `readSafetensors`
 */
export async function eachSafetensor(
  path: string,
  wanted: (name: string) => boolean,
  use: (name: string, array: WeightArray) => void,
): Promise<void> {
  await withFile(path, async (file) => {
    for (const entry of (await headerIn(file, path)).entries) {
      if (wanted(entry.name)) use(entry.name, await readArray(file, path, entry));
    }
  });
}

async function readArray(file: FileHandle, path: string, entry: ArrayEntry): Promise<WeightArray> {
  const { shape, begin, bytes } = entry;
  const stored = storedDtype(entry, path);
  const { dtype, bytes: size } = STORED_DTYPES[stored];
  const data = emptyData(dtype, bytes / size);
  if (stored === "F16" || stored === "BF16") {
    const piece = new Uint16Array(Math.min(data.length, READ_BYTES / size));
    for (let done = 0; done < data.length; done += piece.length) {
      const halves = piece.subarray(0, Math.min(piece.length, data.length - done));
      await readFully(file, path, new Uint8Array(piece.buffer, 0, halves.byteLength), begin + done * size);
      widen(stored, halves, data as Float32Array, done);
    }
  } else {
    await readFully(file, path, new Uint8Array(data.buffer), begin);
  }
  return { dtype, shape, data };
}

function emptyData(dtype: WeightDtype, length: number): WeightData & { buffer: ArrayBuffer } {
  if (dtype === "float32") return new Float32Array(length);
  return dtype === "int32" ? new Int32Array(length) : new Uint8Array(length);
}

async function headerIn(file: FileHandle, path: string): Promise<SafetensorsHeader> {
  const { size } = await file.stat();
  const prefix = Buffer.alloc(Math.min(LENGTH_BYTES, size));
  await readFully(file, path, prefix, 0);
  const bytes = Buffer.alloc(headerLength(prefix, size, path));
  await readFully(file, path, bytes, LENGTH_BYTES);
  return decodeHeader(bytes, size, path);
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
