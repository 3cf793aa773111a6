import type { ClientUpdate, WeightSource } from "../../src/algorithms/index.js";
import { encodeWeights, type Weights } from "../../src/weights/index.js";

/** A source over encoded weights, in pieces of any size, that knows when it was discarded. */
export function sourceOf(weights: Weights, pieceBytes = 1024 ** 2): WeightSource & { discarded: boolean } {
  const bytes = Buffer.concat(encodeWeights(weights));
  const source = {
    bytes: bytes.length,
    discarded: false,
    async *read() {
      for (let start = 0; start < bytes.length; start += pieceBytes) {
        yield bytes.subarray(start, start + pieceBytes);
      }
    },
    async discard() {
      source.discarded = true;
    },
  };
  return source;
}

export function updateOf(clientId: number, numSamples: number, weights: Weights, pieceBytes?: number) {
  return {
    clientId,
    numSamples,
    staleness: 0,
    weights: sourceOf(weights, pieceBytes),
  } satisfies ClientUpdate;
}

/** One float32 array named "w". */
export function floats(...values: number[]): Weights {
  return new Map([["w", { dtype: "float32", shape: [values.length], data: Float32Array.from(values) }]]);
}
