import { ElenchusError } from "../base/index.js";
import { firstNonFinite, zeroNonFinite } from "../compute/kernels/index.js";
import { type PayloadLayout, readSegments, wholeWords } from "../weights/index.js";
import type { WeightSource } from "./algorithm.js";

/** What to do with an update that holds NaN or an infinite number. */
export type NonFinitePolicy = "reject" | "zero";

/**
 * Makes sure that only finite numbers are aggregated. Reads the float32 arrays of an update once.
 * @param layout the update's own, from `readLayout`
 * @returns the source itself when all is finite; with "zero", otherwise, one that reads 0 in those places
 * @throws WEIGHTS_INVALID with "reject", naming the array and the element
 */
export async function checkFinite(
  source: WeightSource,
  layout: PayloadLayout,
  policy: NonFinitePolicy,
): Promise<{ source: WeightSource; finite: boolean }> {
  for await (const { array, start, bytes } of readSegments(source, layout)) {
    if (array.dtype !== "float32") continue;
    const index = firstNonFinite(bytes);
    if (index < 0) continue;
    if (policy === "zero") return { source: zeroed(source, layout), finite: false };
    const value = new DataView(bytes.buffer, bytes.byteOffset).getFloat32(index * 4, true);
    throw new ElenchusError(
      "WEIGHTS_INVALID",
      `The update's array ${JSON.stringify(array.name)} holds ${value} at element ${start + index}; expected finite numbers. Lower the learning rate, or set server.non_finite_updates = "zero".`,
      { details: { name: array.name, index: start + index, refusal: "not_finite" } },
    );
  }
  return { source, finite: true };
}

/** The source with 0 for every float32 element that is not finite. */
function zeroed(source: WeightSource, layout: PayloadLayout): WeightSource {
  const ranges = layout.arrays
    .filter((array) => array.dtype === "float32")
    .map(({ offset, length }) => ({
      from: layout.headerBytes + offset,
      to: layout.headerBytes + offset + length * 4,
    }));
  return {
    bytes: source.bytes,
    discard: () => source.discard(),
    async *read() {
      let position = 0;
      for await (const piece of wholeWords(source)) {
        const copy = new Uint8Array(piece);
        for (const { from, to } of ranges) {
          const start = Math.max(from - position, 0);
          const end = Math.min(to - position, copy.length);
          if (start < end) zeroNonFinite(copy.subarray(start, end));
        }
        position += copy.length;
        yield copy;
      }
    },
  };
}
