import fc from "fast-check";
import type { WeightArray, WeightData, WeightDtype, Weights } from "../../src/weights/index.js";

const name = fc
  .string({ minLength: 1, maxLength: 12, unit: "grapheme" })
  .filter((text) => text !== "__proto__");
const shape = fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 3 });
const dtype = fc.constantFrom<WeightDtype>("float32", "int32", "uint8");

/** Any sound weights: NaN, infinities and every name included. */
export const arbitraryWeights: fc.Arbitrary<Weights> = fc
  .uniqueArray(fc.tuple(name, dtype, shape, fc.integer()), { selector: ([text]) => text, maxLength: 5 })
  .map((arrays) => new Map(arrays.map(([text, type, sizes, seed]) => [text, filled(type, sizes, seed)])));

function filled(dtype: WeightDtype, shape: number[], seed: number): WeightArray {
  const length = shape.reduce((product, size) => product * size, 1);
  // An offset into a larger buffer, as views often have.
  const data: WeightData =
    dtype === "float32"
      ? new Float32Array(length + 1).subarray(1)
      : dtype === "int32"
        ? new Int32Array(length + 1).subarray(1)
        : new Uint8Array(length + 1).subarray(1);
  const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  let state = seed;
  for (let index = 0; index < bytes.length; index++) {
    state = (Math.imul(state, 1103515245) + 12345) | 0;
    bytes[index] = state >>> 16;
  }
  return { dtype, shape, data };
}

/** The bytes of every array, by name: the comparison that tells -0 from 0 and one NaN from another. */
export function bytesOf(weights: Weights): [string, string, readonly number[], string][] {
  return [...weights].map(([name, { dtype, shape, data }]) => [
    name,
    dtype,
    shape,
    Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString("hex"),
  ]);
}
