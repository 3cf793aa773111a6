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
});
