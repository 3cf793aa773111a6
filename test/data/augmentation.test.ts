import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRandom, type Random } from "../../src/base/index.js";
import { cifarRows } from "../../src/data/images/cifarRecords.js";
import { ArrayDataset, augmented, BlockDataset, checkPartitions, MemoryBlock } from "../../src/data/index.js";
import { dataTable } from "./dataTable.js";

/** Draws what it is told to. */
function drawing({ next = [], int = [] }: { next?: number[]; int?: number[] }): Random {
  return { next: () => next.shift()!, int: () => int.shift()! } as unknown as Random;
}

const imageOf = (inputs: number[], inputShape: number[]) => ({
  ...{ inputs: Float32Array.from(inputs), inputShape, labels: Int32Array.of(1), length: 1 },
});
/** Rows 1 2 3 and 4 5 6. */
const small = imageOf([1, 2, 3, 4, 5, 6], [2, 3, 1]);
const shown = (...[batch, ways, random, blank]: Parameters<typeof augmented>) => [
  ...augmented(batch, ways, random, blank).inputs,
];

describe("images varied in training", () => {
  it("are mirrored left and right for draws below a half", () => {
    const flip = { flip: true, padding: 0 };
    expect(shown(small, flip, drawing({ next: [0.49] }))).toEqual([3, 2, 1, 6, 5, 4]);
    expect(shown(small, flip, drawing({ next: [0.5] }))).toEqual([1, 2, 3, 4, 5, 6]);
    // Colours stay where they are within a pixel.
    const colours = imageOf([1, 2, 3, 4], [1, 2, 2]);
    expect(shown(colours, flip, drawing({ next: [0] }))).toEqual([3, 4, 1, 2]);
  });

  it("are cut out of what has a padding, of which 2 * padding + 1 places there are", () => {
    const crop = { flip: false, padding: 1 };
    // One up, one right of the middle: the first row is padding, and so is the last column.
    expect(shown(small, crop, drawing({ int: [0, 2] }))).toEqual([0, 0, 0, 2, 3, 0]);
    expect(shown(small, crop, drawing({ int: [1, 1] }))).toEqual([1, 2, 3, 4, 5, 6]);
    expect(shown(small, crop, drawing({ int: [2, 0] }), [9])).toEqual([9, 4, 5, 9, 9, 9]);
  });

  it("are mirrored first", () => {
    const both = { flip: true, padding: 1 };
    expect(shown(small, both, drawing({ next: [0.1], int: [0, 2] }))).toEqual([0, 0, 0, 2, 1, 0]);
  });

  it("hold no numbers but their own and the padding's, and keep labels and shape", () => {
    fc.assert(
      fc.property(fc.integer(), fc.boolean(), fc.integer({ min: 0, max: 4 }), (seed, flip, padding) => {
        const rows = { ...small, inputs: Float32Array.from({ length: 75 }, (_, at) => at + 1) };
        const batch = { ...rows, inputShape: [5, 5, 1], labels: Int32Array.of(2, 1, 0), length: 3 };
        const found = augmented(batch, { flip, padding }, createRandom(seed), [-1]);
        expect([found.labels, found.inputShape, found.length]).toEqual([batch.labels, [5, 5, 1], 3]);
        for (const [at, value] of found.inputs.entries()) {
          const row = Math.floor(at / 25);
          expect(value === -1 ? padding > 0 : Math.floor((value - 1) / 25) === row).toBe(true);
        }
      }),
      { numRuns: 50 },
    );
  });

  it("have black padding: what the normalisation makes of 0", () => {
    const bytes = new Uint8Array(1 + 3 * 32 * 32);
    const { numbers, ...facts } = cifarRows([{ file: "batch", bytes }], { labels: 1, label: 0, classes: 10 });
    const { blank } = new BlockDataset(new MemoryBlock(numbers, 3072), facts);
    // -0.485 / 0.229, -0.456 / 0.224, -0.406 / 0.225
    for (const [at, black] of [-2.117904, -2.035714, -1.804444].entries()) {
      expect(blank![at]).toBeCloseTo(black, 5);
    }
  });

  it("must be images, larger than what is put around them", () => {
    const dataset = (inputShape: number[]) => {
      const inputs = new Float32Array(inputShape.reduce((product, size) => product * size, 4));
      return new ArrayDataset({ inputs, inputShape, labels: new Int32Array(4), classes: 1 });
    };
    const check = (shape: number[], keys: object) => () => {
      const data = dataTable({ sampler: "iid", partition_size: 1, ...keys });
      checkPartitions(
        { clients: { total_clients: 2 }, data },
        { trainset: dataset(shape), testset: dataset(shape) },
      );
    };
    expect(check([8], { random_horizontal_flip: true })).toThrow(
      "data.random_horizontal_flip varies images [height, width, channels], but the data has inputs [8]. Leave it out.",
    );
    expect(check([8, 3, 1], { random_crop: 3 })).toThrow(
      "data.random_crop = 3, but images are 8x3: expected less than a side.",
    );
    expect(check([8, 3, 1], { random_crop: 2, random_horizontal_flip: true })).not.toThrow();
    expect(check([8], {})).not.toThrow();
  });
});
