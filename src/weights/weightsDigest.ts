import { createHash } from "node:crypto";
import type { Weights } from "./weights.js";

/**
 * SHA-256 in hexadecimal of weights: of each array in order, a line of JSON `[name, dtype, shape]` and its
 * bytes, little-endian. Two sets of weights have the same digest when they are the same bit for bit.
 */
export function weightsDigest(weights: Weights): string {
  const hash = createHash("sha256");
  for (const [name, { dtype, shape, data }] of weights) {
    hash.update(`${JSON.stringify([name, dtype, shape])}\n`);
    hash.update(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
  }
  return hash.digest("hex");
}
