import { endianness } from "node:os";
import { ElenchusError } from "../base/index.js";
import { type ByteSource, memorySource } from "./byteSource.js";
import { encodeHeader } from "./header.js";
import { ELEMENT_BYTES, type LayoutEntry, layoutOf, padded } from "./layout.js";
import { readLayout, readSegments } from "./segments.js";
import type { WeightArray, WeightData, Weights } from "./weights.js";

const PADDING = new Uint8Array(8);

/**
 * Weights as the parts of a payload, to be sent one after the other: a header, then each array's own bytes
 * without a copy. Who changes an array before its part is sent changes the payload.
 * @throws WEIGHTS_INVALID when the weights are not sound, see `layoutOf`
 */
export function encodeWeights(weights: Weights): Uint8Array[] {
  requireLittleEndian();
  const layout = layoutOf(weights);
  const parts = [encodeHeader(layout)];
  for (const array of layout.arrays) {
    const { data } = weights.get(array.name)!;
    if (data.byteLength === 0) continue;
    parts.push(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
    const gap = padded(data.byteLength) - data.byteLength;
    if (gap > 0) parts.push(PADDING.subarray(0, gap));
  }
  return parts;
}

/**
 * Weights from a payload in memory, in arrays of their own.
 * @param bytes the payload, whole or in parts
 * @throws PAYLOAD_INVALID, WEIGHTS_INVALID
 */
export function decodeWeights(bytes: Uint8Array | readonly Uint8Array[]): Promise<Weights> {
  return readWeights(memorySource(bytes instanceof Uint8Array ? [bytes] : bytes));
}

/**
 * Weights from a source, in arrays of their own. Memory is set aside only once the length of the source
 * has been found to agree with its header.
 * @throws PAYLOAD_INVALID, WEIGHTS_INVALID
 */
export async function readWeights(source: ByteSource): Promise<Weights> {
  requireLittleEndian();
  const layout = await readLayout(source);
  const weights = new Map<string, WeightArray>();
  const targets = layout.arrays.map((array) => {
    const data = allocate(array);
    weights.set(array.name, { dtype: array.dtype, shape: array.shape, data });
    return new Uint8Array(data.buffer);
  });
  for await (const { index, array, start, bytes } of readSegments(source, layout)) {
    targets[index]!.set(bytes, start * ELEMENT_BYTES[array.dtype]);
  }
  return weights;
}

function allocate({ dtype, length }: LayoutEntry): WeightData {
  if (dtype === "float32") return new Float32Array(length);
  return dtype === "int32" ? new Int32Array(length) : new Uint8Array(length);
}

function requireLittleEndian(): void {
  if (endianness() === "LE") return;
  throw new ElenchusError(
    "WEIGHTS_INVALID",
    "Weights travel as little-endian bytes; this machine is big-endian.",
  );
}
