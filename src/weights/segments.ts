import { ElenchusError } from "../base/index.js";
import { type ByteSource, wholeWords } from "./byteSource.js";
import { headerBytes, parseHeader } from "./header.js";
import { ELEMENT_BYTES, type LayoutEntry, type WeightLayout } from "./layout.js";

/** A layout as it was found in a payload. */
export interface PayloadLayout extends WeightLayout {
  /** Bytes in front of the data section, a multiple of 8. */
  readonly headerBytes: number;
}

/** Neighbouring elements of one array. */
export interface Segment {
  /** Position of the array in the layout. */
  readonly index: number;
  readonly array: LayoutEntry;
  /** First element. */
  readonly start: number;
  /** Whole elements, little-endian, at any alignment in memory; valid until the next segment is asked for. */
  readonly bytes: Uint8Array;
}

/**
 * Reads the layout from the first bytes of a payload.
 * @throws PAYLOAD_INVALID when the header is malformed, or the payload not as long as it says;
 * WEIGHTS_INVALID when what it describes cannot be weights
 */
export async function readLayout(source: ByteSource): Promise<PayloadLayout> {
  let start: Uint8Array = new Uint8Array(0);
  for await (const piece of source.read()) {
    start = start.length === 0 ? new Uint8Array(piece) : Buffer.concat([start, piece]);
    const size = headerBytes(start);
    if (size === undefined || size > start.length) continue;
    const layout = { ...parseHeader(start.subarray(0, size)), headerBytes: size };
    requireLength(source.bytes, layout);
    return layout;
  }
  throw new ElenchusError("PAYLOAD_INVALID", `The payload of ${source.bytes} bytes ends within its header.`);
}

/**
 * The elements of all arrays, in order, as they are read.
 * @param layout the payload's own, from `readLayout`
 * @throws PAYLOAD_INVALID when the source ends early
 */
export async function* readSegments(source: ByteSource, layout: PayloadLayout): AsyncGenerator<Segment> {
  let index = 0;
  let position = -layout.headerBytes;
  for await (const piece of wholeWords(source)) {
    const end = position + piece.length;
    for (; index < layout.arrays.length; index++) {
      const array = layout.arrays[index]!;
      const size = ELEMENT_BYTES[array.dtype];
      const arrayEnd = array.offset + array.length * size;
      const from = Math.max(array.offset, position);
      const to = Math.min(arrayEnd, end);
      if (from < to) {
        const bytes = piece.subarray(from - position, to - position);
        yield { index, array, start: (from - array.offset) / size, bytes };
      }
      if (arrayEnd > end) break;
    }
    position = end;
  }
  if (position !== layout.dataBytes) {
    throw new ElenchusError(
      "PAYLOAD_INVALID",
      `The payload's data ends after ${Math.max(position, 0)} bytes; expected ${layout.dataBytes}.`,
    );
  }
}

function requireLength(bytes: number, layout: PayloadLayout): void {
  const expected = layout.headerBytes + layout.dataBytes;
  if (bytes === expected) return;
  throw new ElenchusError(
    "PAYLOAD_INVALID",
    `The payload has ${bytes} bytes; its header describes ${expected}.`,
  );
}
