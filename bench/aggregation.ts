// The aggregation kernel against a plain copy of the same bytes: 100 MB of weights in pieces of 1 MiB, as they
// come from the wire. Median of alternating pairs. Run: node --import tsx bench/aggregation.ts
import { createAccumulator } from "../src/compute/kernels/index.js";

const BYTES = 100e6;
const PIECE = 1 << 20;
const PAIRS = 15;
/** Largest time of the kernel as a multiple of the copy's. */
const TARGET = 1.5;

const update = new Uint8Array(
  Float32Array.from({ length: BYTES / 4 }, (_, index) => (index % 1000) / 1000).buffer,
);
const copy = new Uint8Array(BYTES);
const accumulator = createAccumulator(BYTES / 4);

const pairs = Array.from({ length: PAIRS + 2 }, () => ({
  copy: milliseconds((start, end) => copy.set(update.subarray(start, end), start)),
  add: milliseconds((start, end) => accumulator.add(start / 4, update.subarray(start, end), 0.25)),
})).slice(2);
const ratio = median(pairs.map((pair) => pair.add / pair.copy));

console.log(
  JSON.stringify({
    megabytes: BYTES / 1e6,
    copy_ms: median(pairs.map((pair) => pair.copy)),
    add_ms: median(pairs.map((pair) => pair.add)),
    ratio,
    target: TARGET,
  }),
);
process.exitCode = ratio > TARGET ? 1 : 0;

/** Time for one pass over all pieces. */
function milliseconds(work: (start: number, end: number) => void): number {
  const start = performance.now();
  for (let at = 0; at < BYTES; at += PIECE) work(at, Math.min(BYTES, at + PIECE));
  return performance.now() - start;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return Math.round(sorted[Math.floor(sorted.length / 2)]! * 100) / 100;
}
