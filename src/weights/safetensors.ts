import { type FileHandle, open } from "node:fs/promises";
import { ElenchusError, messageOf, writeAtomic } from "../base/index.js";
import { ELEMENT_BYTES } from "./layout.js";
import {
  decodeHeader,
  encodeHeader,
  headerLength,
  invalidCheckpoint,
  LENGTH_BYTES,
  type SafetensorsContent,
  type SafetensorsHeader,
} from "./safetensorsHeader.js";
import type { WeightArray, WeightData, WeightDtype } from "./weights.js";

const READ_BYTES = 64 * 1024 ** 2;

/**
 * Writes named arrays as a safetensors file, whole or not at all, in the order of the map. The arrays go to
 * the file as they lie in memory; nothing is copied. Like the format, this assumes a little-endian machine.
 * @throws WEIGHTS_INVALID when an array does not fit its own shape or dtype, or bears the reserved name
 */
export async function writeSafetensors(path: string, content: SafetensorsContent): Promise<void> {
  const parts: Uint8Array[] = [encodeHeader(content)];
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

function emptyData(dtype: WeightDtype, bytes: number): WeightData & { buffer: ArrayBuffer } {
  const length = bytes / ELEMENT_BYTES[dtype];
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
