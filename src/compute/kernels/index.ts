// Free of TensorFlow.js, so that the server can aggregate without loading it.
export { type Accumulator, createAccumulator } from "./accumulator.js";
export type { FloatPieces } from "./floatPieces.js";
export { firstNonFinite, zeroNonFinite } from "./nonFinite.js";
