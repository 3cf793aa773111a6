import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PythonRandom } from "../../src/base/index.js";

interface Drawn {
  seed: number | string;
  [kind: string]: unknown;
}
const goldens = JSON.parse(
  readFileSync(new URL("goldens/python_random.json", import.meta.url), "utf8"),
) as Drawn[];
const range = (count: number) => Array.from({ length: count }, (_, index) => index);

describe("PythonRandom", () => {
  it.each(goldens)("draws with seed $seed what CPython draws", ({ seed, ...drawn }) => {
    const random = new PythonRandom(seed);
    expect({
      random: range(2).map(() => random.random()),
      bits: [1, 7, 32, 33, 53].map((bits) => random.getrandbits(bits)),
      below: range(4).map(() => random.randrange(3, 100, 7)),
      shuffle: random.shuffle(range(8)),
      // A sample of five comes from a copy up to 21 items, one of six up to 85, and else from a set.
      pool: random.sample(range(21), 5),
      set: random.sample(range(22), 5),
      pool6: random.sample(range(85), 6),
      set6: random.sample(range(86), 6),
      weights: random.choices("abc", 6, [1, 0, 3]),
      uniform: random.uniform(-1, 3),
    }).toEqual(drawn);
  });

  it("is the authors' generator: the first outputs for the key 0x123, 0x234, 0x345, 0x456", () => {
    // mt19937ar.out of Matsumoto and Nishimura; the key is the seed's words from the lowest.
    const random = new PythonRandom(0x00000456_00000345_00000234_00000123n);
    expect(range(5).map(() => random.getrandbits(32))).toEqual([
      1067595299, 955945823, 477289528, 4107218783, 4228976476,
    ]);
  });

  it("keeps the second normal deviate of a pair for the next call", () => {
    const random = new PythonRandom(42);
    expect(random.gauss(0, 1)).toBeCloseTo(-0.14409032957792836, 14);
    expect(random.gauss(10, 2)).toBeCloseTo(10 - 2 * 0.1729036003315193, 14);
  });

  it("takes no account of a seed's sign, and refuses one that is no integer", () => {
    expect(new PythonRandom(-7).random()).toBe(new PythonRandom(7).random());
    expect(() => new PythonRandom(0.5)).toThrow(RangeError);
  });

  it("shuffles to a permutation and samples distinct items, for every seed and size", () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 0, max: 200 }), fc.nat(), (seed, size, wanted) => {
        const random = new PythonRandom(seed);
        const items = range(size);
        expect(random.shuffle([...items]).sort((a, b) => a - b)).toEqual(items);
        const count = size === 0 ? 0 : wanted % (size + 1);
        const sample = random.sample(items, count);
        expect(new Set(sample).size).toBe(count);
        expect(sample.every((item) => items.includes(item))).toBe(true);
      }),
    );
  });

  it("draws below every bound up to 2^53", () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), (seed, bound) => {
        const drawn = new PythonRandom(seed).below(bound);
        expect(Number.isInteger(drawn) && drawn >= 0 && drawn < bound).toBe(true);
      }),
    );
  });

  it("refuses what cannot be drawn", () => {
    const random = new PythonRandom(0);
    expect(() => random.sample([1, 2], 3)).toThrow(RangeError);
    expect(() => random.below(0)).toThrow(RangeError);
    expect(() => random.getrandbits(54)).toThrow(RangeError);
    expect(() => random.randrange(0, 5, 0)).toThrow(RangeError);
    expect(random.getrandbits(0)).toBe(0);
  });
});
