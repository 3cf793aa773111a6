import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { TrainingContextInit } from "../../../src/context/index.js";
import { ArrayDataset } from "../../../src/data/index.js";
import { ShuffledLoader } from "../../../src/trainers/strategies/kit.js";
import { contextOf } from "../trainerParts.js";

const dataset = new ArrayDataset({
  inputs: Float32Array.from({ length: 100 }, (_, row) => row),
  inputShape: [1],
  labels: Int32Array.from({ length: 100 }, (_, row) => row % 3),
  classes: 3,
});
const base = { clientId: 1, currentRound: 1, currentEpoch: 1 };

function order(
  indices: Int32Array,
  batchSize: number,
  where: TrainingContextInit = base,
  seed = 1,
): number[][] {
  const loader = new ShuffledLoader(seed).createTrainLoader(dataset, indices, batchSize, contextOf(where));
  return [...loader].map((batch) => [...batch.inputs]);
}

describe("the default data loader", () => {
  test("gives every row of the client once, in whole batches but for the last", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.nat({ max: 99 }), { maxLength: 100 }),
        fc.integer({ min: 1, max: 120 }),
        (rows, size) => {
          const batches = order(Int32Array.from(rows), size);
          expect(batches.flat().sort((a, b) => a - b)).toEqual(rows.toSorted((a, b) => a - b));
          expect(batches.length).toBe(Math.ceil(rows.length / size));
          expect(batches.slice(0, -1).every((batch) => batch.length === size)).toBe(true);
        },
      ),
    );
  });

  test("leaves the client's rows in their order and keeps labels beside inputs", () => {
    const rows = Int32Array.of(5, 7, 9);
    const [batch] = new ShuffledLoader(1).createTrainLoader(dataset, rows, 3, contextOf(base));
    expect(rows).toEqual(Int32Array.of(5, 7, 9));
    expect([...batch!.labels]).toEqual([...batch!.inputs].map((row) => row % 3));
  });

  test("shuffles the same way again, and otherwise for another seed, client, round or epoch", () => {
    const rows = Int32Array.from({ length: 30 }, (_, row) => row);
    const first = order(rows, 30);
    expect(order(rows, 30)).toEqual(first);
    const others = [
      order(rows, 30, base, 2),
      order(rows, 30, { ...base, clientId: 2 }),
      order(rows, 30, { ...base, currentRound: 2 }),
      order(rows, 30, { ...base, currentEpoch: 2 }),
    ];
    expect(new Set([first, ...others].map(String)).size).toBe(5);
  });

  test("varies images the same way again, and otherwise for another seed, client, round or epoch", () => {
    // All rows alike, so that their order tells nothing.
    const image = { inputShape: [4, 4, 1], labels: new Int32Array(8), classes: 1 };
    const images = new ArrayDataset({
      ...image,
      inputs: Float32Array.from({ length: 128 }, (_, at) => (at % 16) + 1),
    });
    const varied = (where: TrainingContextInit = base, seed = 1) => {
      const loader = new ShuffledLoader(seed, { flip: true, padding: 2 });
      const rows = Int32Array.from({ length: 8 }, (_, row) => row);
      const [batch] = loader.createTrainLoader(images, rows, 8, contextOf(where));
      return [...batch!.inputs];
    };
    const first = varied();
    expect(varied()).toEqual(first);
    expect(first.filter((value) => value === 0).length).toBeGreaterThan(0);
    const others = [varied(base, 2), varied({ ...base, clientId: 2 }), varied({ ...base, currentRound: 2 })];
    expect(new Set([first, ...others, varied({ ...base, currentEpoch: 2 })].map(String)).size).toBe(5);
    expect([...images.batch([0]).inputs]).toEqual(Array.from({ length: 16 }, (_, at) => at + 1));
  });
});
