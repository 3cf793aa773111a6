import type { ByteReader } from "./byteReader.js";
import { malformed } from "./malformed.js";
import type { ByteProcessor } from "./processor.js";

/** Bytes that are compressed together. A receiver needs memory for one block, whatever the payload claims. */
const BLOCK = 2 ** 20;
/** Bytes by which a block that cannot be compressed may grow, by the libraries' own bounds. */
const LARGEST_BLOCK = BLOCK + BLOCK / 64 + 1024;

/** Compresses parts block by block: in front of each its compressed length as a uint32, little-endian. */
export async function compressBlocks(
  parts: readonly Uint8Array[],
  processor: ByteProcessor,
): Promise<Uint8Array[]> {
  const compressed: Uint8Array[] = [];
  for (const block of blocks(parts)) {
    const bytes = await processor.compress(block);
    const length = new Uint8Array(4);
    new DataView(length.buffer).setUint32(0, bytes.length, true);
    compressed.push(length, bytes);
  }
  return compressed;
}

/**
 * Expands what `compressBlocks` wrote, exactly `total` bytes of it.
 * @throws PAYLOAD_INVALID
 */
export async function* expandBlocks(
  reader: ByteReader,
  processor: ByteProcessor,
  total: number,
): AsyncGenerator<Uint8Array> {
  for (let left = total; left > 0; left -= BLOCK) {
    const expected = Math.min(BLOCK, left);
    const length = new DataView((await reader.take(4)).buffer).getUint32(0, true);
    if (length > LARGEST_BLOCK)
      throw malformed(`a block claims ${length} bytes; at most ${LARGEST_BLOCK} are taken`);
    const block = await processor.expand(await reader.take(length), expected);
    if (block.length !== expected)
      throw malformed(`a block holds ${block.length} bytes; expected ${expected}`);
    yield block;
  }
}

/** Bytes of several parts in blocks, which do not begin anew with each part. */
function* blocks(parts: readonly Uint8Array[]): Generator<Uint8Array> {
  let gathered = new Uint8Array(BLOCK);
  let filled = 0;
  for (let part of parts) {
    while (part.length > 0) {
      const piece = part.subarray(0, BLOCK - filled);
      gathered.set(piece, filled);
      filled += piece.length;
      part = part.subarray(piece.length);
      if (filled < BLOCK) continue;
      yield gathered;
      gathered = new Uint8Array(BLOCK);
      filled = 0;
    }
  }
  if (filled > 0) yield gathered.subarray(0, filled);
}
