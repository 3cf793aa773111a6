import { readFile } from "node:fs/promises";
import { constants, gunzipSync } from "node:zlib";
import { ElenchusError, messageOf } from "../../base/index.js";

/**
 * The content of a file, unpacked where it is gzipped, whatever its name says.
 * @throws DATA_INVALID saying how much came out of a damaged one
 */
export async function wholeFile(file: string): Promise<Buffer> {
  const bytes = await readFile(file).catch((error: unknown) => {
    throw damaged(file, `it cannot be read (${messageOf(error)})`, "a file that can be read");
  });
  if (!isGzip(bytes)) return bytes;
  try {
    return gunzipSync(bytes);
  } catch (error) {
    throw damaged(
      file,
      `it is gzipped, but its ${bytes.length} bytes are damaged after ${unpackedBytes(bytes)} bytes of content (${messageOf(error)})`,
      "a whole gzip file",
    );
  }
}

/** @param offset byte of the content at which it is found */
export function damaged(file: string, found: string, expected: string, offset?: number): ElenchusError {
  const place = offset === undefined ? file : `${file}, byte ${offset}`;
  return new ElenchusError(
    "DATA_INVALID",
    `${place}: ${found}. Expected ${expected}; fetch the file anew, or correct data.data_path.`,
    { details: { path: ["data", "datasource"], file, ...(offset !== undefined && { offset }) } },
  );
}

export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

/** What can be had of a damaged file. */
function unpackedBytes(bytes: Buffer): number {
  try {
    return gunzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH }).length;
  } catch {
    return 0;
  }
}
