// Two ways to the same bits whatever the order of arrival, for one update of 100 MB: keep early updates in a
// file and fold them in client order, or fold at once into an accumulator whose sums are exact. Median of
// alternating rounds. Run: node --import tsx bench/foldOrder.ts
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { algorithms, type WeightSource } from "../src/algorithms/index.js";
import { createPayloadStore } from "../src/protocol/index.js";
import { encodeWeights, type Weights } from "../src/weights/index.js";

const ELEMENTS = 25_000_000;
const PIECE = 1 << 20;
const ROUNDS = 7;

const data = Float32Array.from({ length: ELEMENTS }, (_, index) => ((index % 2003) - 1001) / 997);
const weights: Weights = new Map([["w", { dtype: "float32", shape: [ELEMENTS], data }]]);
const payload = Buffer.concat(encodeWeights(weights));
const inMemory: WeightSource = {
  bytes: payload.length,
  async *read() {
    for (let start = 0; start < payload.length; start += PIECE) yield payload.subarray(start, start + PIECE);
  },
  discard: async () => {},
};
const folder = await mkdtemp(join(tmpdir(), "elenchus-bench-"));
const store = createPayloadStore({ folder, memoryBytes: 0 });
const fedavg = await algorithms.lookup("fedavg")({});
const aggregation = fedavg.server.begin(weights, 1);
const exact = { high: new Float64Array(ELEMENTS), low: new Float64Array(ELEMENTS) };

const times = {
  fold: [] as number[],
  write: [] as number[],
  foldFile: [] as number[],
  foldExact: [] as number[],
};
for (let round = -1; round < ROUNDS; round++) {
  const fold = await milliseconds(() => foldFrom(inMemory));
  const sink = store.sink(payload.length);
  const write = await milliseconds(async () => {
    for await (const piece of inMemory.read()) await sink.write(piece);
  });
  const file = await sink.finish();
  const foldFile = await milliseconds(() => foldFrom(file));
  await file.discard();
  const foldExact = await milliseconds(() => addExactly(data, 3));
  if (round < 0) continue;
  for (const [key, value] of Object.entries({ fold, write, foldFile, foldExact })) {
    times[key as keyof typeof times].push(value);
  }
}
await store.close();
await rm(folder, { recursive: true, force: true });

const [fold, write, foldFile, foldExact] = [times.fold, times.write, times.foldFile, times.foldExact].map(
  median,
);
console.log(
  JSON.stringify({
    megabytes: payload.length / 1e6,
    in_client_order: {
      bytes_per_element: 4,
      on_time_ms: fold,
      early_ms: Math.round(write! + foldFile!),
      early_write_ms: write,
      early_fold_ms: foldFile,
    },
    exact: { bytes_per_element: 16, any_ms: foldExact },
  }),
);

async function foldFrom(source: WeightSource): Promise<void> {
  await aggregation.fold({ clientId: 1, numSamples: 3, staleness: 0, weights: source });
}

/**
 * Sums that do not depend on the order: each product is cut at two fixed places into parts whose sums are
 * exact in a double (Demmel and Nguyen, "Parallel Reproducible Summation", 2015, with two bins).
 */
function addExactly(values: Float32Array, weight: number): void {
  const { high, low } = exact;
  const cutHigh = 1.5 * 2 ** 40;
  const cutLow = 1.5 * 2 ** 10;
  for (let index = 0; index < values.length; index++) {
    const product = values[index]! * weight;
    const upper = product + cutHigh - cutHigh;
    high[index]! += upper;
    low[index]! += product - upper + cutLow - cutLow;
  }
}

async function milliseconds(work: () => void | Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function median(values: readonly number[]): number {
  return Math.round(values.toSorted((one, other) => one - other)[values.length >> 1]!);
}
