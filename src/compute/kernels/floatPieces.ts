import { ElenchusError } from "../../base/index.js";

/** Float32 elements, or their little-endian bytes at any alignment, as they come from a socket. */
export type FloatPieces = Float32Array | Uint8Array;

/** The bytes of a piece. @throws WEIGHTS_INVALID when they end within an element */
export function wholeElements(values: FloatPieces): Uint8Array {
  if (values instanceof Float32Array) {
    return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  }
  if (values.length % 4 === 0) return values;
  throw new ElenchusError(
    "WEIGHTS_INVALID",
    `A piece of ${values.length} bytes ends within a float32 element; expected a multiple of 4.`,
  );
}
