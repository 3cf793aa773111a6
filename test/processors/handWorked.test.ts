import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRandom } from "../../src/base/index.js";
import type { Pipeline } from "../../src/processors/index.js";
import { largest } from "../../src/processors/largest.js";
import { packBits, packedBytes, unpackBits } from "../../src/processors/packedBits.js";
import type { Weights } from "../../src/weights/index.js";
import { matrix, numbersOf, pipelineOf, randomOf } from "./support.js";

/** The numbers of the array at the other end. */
async function received(pipeline: Pipeline, weights: Weights, reference?: Weights): Promise<number[]> {
  return numbersOf(await (await pipeline.encode(weights, { randomOf, reference })).received());
}

describe("half precision", () => {
  const through = (name: string, values: readonly number[]) => received(pipelineOf([name]), matrix([values]));

  it("rounds to the nearest number of IEEE 754 binary16, halves to even", async () => {
    const cases: [number, number][] = [
      [1, 1],
      // Between 1 and 1 + 2^-10: the middle goes to the even one.
      [1 + 2 ** -11, 1],
      [1 + 3 * 2 ** -11, 1 + 2 ** -9],
      [1 + 2 ** -11 + 2 ** -20, 1 + 2 ** -10],
      [-0.1, -0.0999755859375],
      [65504, 65504],
      [65519.99609375, 65504],
      [65520, Number.POSITIVE_INFINITY],
      [-1e9, Number.NEGATIVE_INFINITY],
      // The smallest normal one, and those below it.
      [2 ** -14, 2 ** -14],
      [2 ** -14 - 2 ** -26, 2 ** -14],
      [3 * 2 ** -24, 3 * 2 ** -24],
      [2 ** -25, 0],
      [3 * 2 ** -25, 2 ** -23],
      [2 ** -25 + 2 ** -40, 2 ** -24],
      [2 ** -26, 0],
    ];
    expect(
      await through(
        "float16",
        cases.map(([value]) => value),
      ),
    ).toEqual(cases.map(([, half]) => half));
    expect(await through("float16", [Number.NaN])).toEqual([Number.NaN]);
  });

  it("keeps the upper half of single precision as brain float", async () => {
    const cases: [number, number][] = [
      [1, 1],
      [1 + 2 ** -8, 1],
      [1 + 3 * 2 ** -8, 1 + 2 ** -6],
      [-3.140625, -3.140625],
      // 1e30 is 1.5777... times 2^99, of which 202 / 128 is nearest.
      [1e30, (202 / 128) * 2 ** 99],
    ];
    const values = cases.map(([value]) => value);
    expect(await through("bfloat16", values)).toEqual(cases.map(([, half]) => half));
    expect(await through("bfloat16", [Number.NaN, Number.NEGATIVE_INFINITY])).toEqual([
      Number.NaN,
      Number.NEGATIVE_INFINITY,
    ]);
  });
});

describe("top_k", () => {
  it("sends the largest changes of an array, and of equal ones the first", async () => {
    const global = matrix([
      [1, 1, 1],
      [1, 1, 1],
    ]);
    const weights = matrix([
      [1.5, -1, 1.25],
      [3, 0.5, 1.5],
    ]);
    // Changes 0.5, -2, 0.25, 2, -0.5, 0.5; half of six is three.
    expect(await received(pipelineOf(["top_k", { ratio: 0.5 }]), weights, global)).toEqual([
      1.5, -1, 1, 3, 1, 1,
    ]);
  });

  it("sends one change at least, and vectors as they are", async () => {
    const global: Weights = new Map([
      ...matrix([
        [0, 0],
        [0, 0],
      ]),
      ["bias", { dtype: "float32", shape: [2], data: Float32Array.of(0, 0) }],
    ]);
    const weights: Weights = new Map([
      ...matrix([
        [0.25, -0.5],
        [0.125, 0],
      ]),
      ["bias", { dtype: "float32", shape: [2], data: Float32Array.of(0.1, 0.2) }],
    ]);
    const encoded = await pipelineOf(["top_k", { ratio: 0.001 }]).encode(weights, {
      randomOf,
      reference: global,
    });
    const after = await encoded.received();
    expect(numbersOf(after)).toEqual([0, -0.5, 0, 0]);
    expect(after.get("bias")).toEqual(weights.get("bias"));
  });
});

describe("qsgd", () => {
  it("rounds to the neighbouring levels of a bucket's norm", async () => {
    const pipeline = pipelineOf(["qsgd", { levels: 5, bucket_size: 2 }]);
    const zeros = matrix([
      [0, 0],
      [0, 0],
    ]);
    // Norms 5 and 0: the first bucket's changes are levels 3 and -4 exactly, whatever is drawn.
    expect(
      await received(
        pipeline,
        matrix([
          [3, -4],
          [0, 0],
        ]),
        zeros,
      ),
    ).toEqual([3, -4, 0, 0]);
  });

  it("has no bias", async () => {
    const pipeline = pipelineOf(["qsgd", { levels: 2, bucket_size: 4 }]);
    const zeros = matrix([[0, 0, 0, 0]]);
    const sums = [0, 0, 0, 0];
    const draws = 1000;
    const random = createRandom(3);
    for (let draw = 0; draw < draws; draw++) {
      const encoded = await pipeline.encode(matrix([[0.1, -0.7, 0.5, 0.5]]), {
        randomOf: () => random,
        reference: zeros,
      });
      for (const [place, value] of numbersOf(await encoded.received()).entries()) sums[place]! += value;
    }
    // A draw is off by at most the norm over the levels, 1 / 2: five standard deviations of the mean.
    const bound = (5 * 0.25) / Math.sqrt(draws);
    for (const [place, value] of [0.1, -0.7, 0.5, 0.5].entries()) {
      expect(Math.abs(sums[place]! / draws - value)).toBeLessThan(bound);
    }
  });

  it("takes as many bits for a weight as its levels and a sign need", async () => {
    const global = matrix([Array.from({ length: 512 }, () => 0)]);
    const bytes = async (levels: number) => {
      const { parts } = await pipelineOf(["qsgd", { levels }]).encode(global, {
        randomOf,
        reference: global,
      });
      // Behind the envelope: one norm with its padding, and the codes.
      return parts.slice(2).reduce((sum, { length }) => sum + length, 0);
    };
    expect(await bytes(1)).toBe(8 + (512 * 2) / 8);
    expect(await bytes(7)).toBe(8 + (512 * 4) / 8);
    expect(await bytes(64)).toBe(8 + 512);
  });
});

describe("pruning", () => {
  const weights: Weights = new Map([
    ...matrix(
      [
        [0.1, -4],
        [0.2, 3],
      ],
      "one",
    ),
    ...matrix([[-0.3, 5]], "two"),
    ["bias", { dtype: "float32", shape: [1], data: Float32Array.of(0.001) }],
  ]);

  it("sets the smallest weights of all arrays together to 0", async () => {
    const encoded = await pipelineOf(["unstructured_pruning", { amount: 0.5 }]).encode(weights, { randomOf });
    const after = await encoded.received();
    expect(numbersOf(after, "one")).toEqual([0, -4, 0, 3]);
    expect(numbersOf(after, "two")).toEqual([0, 5]);
    expect(after.get("bias")).toEqual(weights.get("bias"));
  });

  it("sets as many weights by chance to 0 as it is told", async () => {
    const ones = matrix([Array.from({ length: 100 }, () => 1)]);
    const after = await received(
      pipelineOf(["unstructured_pruning", { amount: 0.3, method: "random" }]),
      ones,
    );
    expect(after.filter((value) => value === 0)).toHaveLength(30);
  });

  it("sets the units of smallest norm to 0", async () => {
    // Columns: 1 + 1 = 2, 3 + 0 = 3, 0.5 + 2 = 2.5 by magnitude; 2, 9, 4.25 by squares.
    const layer = matrix([
      [1, 3, -0.5],
      [-1, 0, 2],
    ]);
    expect(await received(pipelineOf(["structured_pruning", { amount: 1 / 3 }]), layer)).toEqual([
      0, 3, -0.5, 0, 0, 2,
    ]);
    expect(await received(pipelineOf(["structured_pruning", { amount: 2 / 3, norm: 2 }]), layer)).toEqual([
      0, 3, 0, 0, 0, 0,
    ]);
  });
});

describe("what they are made of", () => {
  it("finds as many of the largest as asked for, as sorting does", () => {
    fc.assert(
      fc.property(fc.array(fc.float({ noNaN: true }), { maxLength: 40 }), fc.nat(), (values, seed) => {
        const data = Float32Array.from(values);
        const count = data.length === 0 ? 0 : seed % (data.length + 1);
        const chosen = largest([data], count);
        const kept = [...data].filter((value) => chosen.keeps(value)).map(Math.abs);
        const sorted = [...data].map(Math.abs).sort((one, other) => other - one);
        expect(kept.sort((one, other) => other - one)).toEqual(sorted.slice(0, count));
      }),
    );
  });

  it("packs numbers into bits and unpacks them", () => {
    fc.assert(
      fc.property(
        fc
          .integer({ min: 1, max: 16 })
          .chain((width) => fc.tuple(fc.constant(width), fc.array(fc.nat({ max: 2 ** width - 1 })))),
        ([width, numbers]) => {
          const packed = packBits(Uint16Array.from(numbers), width);
          expect(packed).toHaveLength(packedBytes(numbers.length, width));
          expect(unpackBits(packed, width, numbers.length)).toEqual(Uint16Array.from(numbers));
        },
      ),
    );
    expect(packBits(Uint16Array.of(1, 2, 3), 3)).toEqual(Uint8Array.of(0b11_010_001, 0));
    expect(unpackBits(Uint8Array.of(0b1_00_01), 2, 2)).toBeUndefined();
  });
});
