import { type AggregateKernel, aggregateKernel, STAGING, STAGING_BYTES } from "./aggregateKernel.js";
import { type FloatPieces, wholeElements } from "./floatPieces.js";

/** Scratch memory, made on first use; it holds nothing from one call to the next. */
let scratch: AggregateKernel | undefined;

/**
 * Index of the first element that is NaN or infinite, or -1.
 * @throws WEIGHTS_INVALID when bytes end within an element
 */
export function firstNonFinite(values: FloatPieces): number {
  const bytes = wholeElements(values);
  scratch ??= aggregateKernel(0);
  for (let start = 0; start < bytes.length; start += STAGING_BYTES) {
    const piece = bytes.subarray(start, start + STAGING_BYTES);
    scratch.staging.set(piece);
    const index = scratch.exports.firstNonFinite(STAGING, piece.length / 4);
    if (index >= 0) return start / 4 + index;
  }
  return -1;
}

/**
 * Puts 0 in the place of every NaN and infinity, where they lie.
 * @returns how many there were
 * @throws WEIGHTS_INVALID when bytes end within an element
 */
export function zeroNonFinite(values: FloatPieces): number {
  const bytes = wholeElements(values);
  scratch ??= aggregateKernel(0);
  let found = 0;
  for (let start = 0; start < bytes.length; start += STAGING_BYTES) {
    const piece = bytes.subarray(start, start + STAGING_BYTES);
    scratch.staging.set(piece);
    const here = scratch.exports.zeroNonFinite(STAGING, piece.length / 4);
    if (here > 0) piece.set(scratch.staging.subarray(0, piece.length));
    found += here;
  }
  return found;
}
