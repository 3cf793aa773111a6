import { firstNonFinite } from "../compute/kernels/index.js";
import type { Weights } from "../weights/index.js";

/** The first array that holds NaN or an infinite number, as a mean of finite ones may where their sum has no room. */
export function firstUnboundedArray(weights: Weights): string | undefined {
  for (const [name, { dtype, data }] of weights) {
    if (dtype !== "float32") continue;
    const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    if (firstNonFinite(bytes) >= 0) return name;
  }
  return undefined;
}
