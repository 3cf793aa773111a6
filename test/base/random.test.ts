import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRandom } from "../../src/base/index.js";

describe("createRandom", () => {
  it("is xoshiro128**: the published first outputs from the state 1, 2, 3, 4", () => {
    const random = createRandom(0);
    random.restore([1, 2, 3, 4]);
    const drawn = Array.from({ length: 10 }, () => random.uint32());
    // First outputs of the reference implementation by Blackman and Vigna.
    expect(drawn).toEqual([
      11520, 0, 5927040, 70819200, 2031721883, 1637235492, 1287239034, 3734860849, 3729100597, 4258142804,
    ]);
  });

  it("gives the same sequence for the same seed and labels, another for another label", () => {
    const sequence = (...labels: (string | number)[]) => {
      const random = createRandom(7, ...labels);
      return Array.from({ length: 4 }, () => random.next());
    };
    expect(sequence("train", 1)).toEqual(sequence("train", 1));
    expect(sequence("train", 1)).not.toEqual(sequence("train", 2));
    expect(sequence("a", "b")).not.toEqual(sequence("ab"));
  });

  it("continues exactly from a stored state, normal deviates included", () => {
    const random = createRandom(1, "resume");
    random.normal();
    const state = JSON.parse(JSON.stringify(random.state()));
    const expected = [random.normal(), random.normal(), random.int(10), random.gamma(0.3)];
    const resumed = createRandom(99);
    resumed.restore(state);
    expect([resumed.normal(), resumed.normal(), resumed.int(10), resumed.gamma(0.3)]).toEqual(expected);
  });

  it("draws integers over the whole range, without leaving it", () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 1, max: 2 ** 32 }), (seed, bound) => {
        const drawn = createRandom(seed).int(bound);
        return Number.isInteger(drawn) && drawn >= 0 && drawn < bound;
      }),
    );
    const seen = new Set(Array.from({ length: 200 }, (_, index) => createRandom(index).int(6)));
    expect([...seen].sort()).toEqual([0, 1, 2, 3, 4, 5]);
    expect(() => createRandom(1).int(0)).toThrow(RangeError);
  });

  it("draws every integer as often as any other", () => {
    const random = createRandom(1, "thirds");
    const thirds = [0, 0, 0];
    // 3 * 2^30 values: taken modulo that, 2^32 of them would hit the first third twice as often.
    for (let draw = 0; draw < 30_000; draw++) thirds[Math.floor(random.int(3 * 2 ** 30) / 2 ** 30)]!++;
    // Expected 10,000 each, standard deviation sqrt(30,000 * 1/3 * 2/3) = 81.6.
    for (const count of thirds) expect(Math.abs(count - 10_000)).toBeLessThan(5 * 81.6);
  });

  it("shuffles into every order as often as any other", () => {
    const random = createRandom(1, "orders");
    const counts = new Map<string, number>();
    for (let turn = 0; turn < 6000; turn++) {
      const order = random.shuffle([0, 1, 2]).join("");
      counts.set(order, (counts.get(order) ?? 0) + 1);
    }
    // Six orders, 1000 each expected, standard deviation sqrt(6000 * 1/6 * 5/6) = 28.9.
    expect([...counts.keys()].sort()).toEqual(["012", "021", "102", "120", "201", "210"]);
    for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(5 * 28.9);
  });

  it("samples distinct integers, and shuffles to a permutation", () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 0, max: 60 }), fc.nat(60), (seed, bound, count) => {
        fc.pre(count <= bound);
        const drawn = createRandom(seed).sample(bound, count);
        expect(new Set(drawn).size).toBe(count);
        expect(drawn.every((value) => value >= 0 && value < bound)).toBe(true);
        const shuffled = createRandom(seed).shuffle(Array.from({ length: bound }, (_, index) => index));
        expect([...shuffled].sort((a, b) => a - b)).toEqual(
          Array.from({ length: bound }, (_, index) => index),
        );
      }),
    );
    expect(() => createRandom(1).sample(3, 4)).toThrow(RangeError);
  });

  it("has the moments of the normal and the gamma distribution", () => {
    const random = createRandom(3, "moments");
    const count = 40_000;
    const normals = Array.from({ length: count }, () => random.normal());
    expect(mean(normals)).toBeCloseTo(0, 1);
    expect(mean(normals.map((x) => x * x))).toBeCloseTo(1, 1);
    for (const shape of [0.2, 1, 4.5]) {
      const gammas = Array.from({ length: count }, () => random.gamma(shape));
      // Mean and variance of Gamma(shape, 1) are both the shape; 5 standard errors of the mean.
      expect(Math.abs(mean(gammas) - shape)).toBeLessThan(5 * Math.sqrt(shape / count));
    }
    expect(() => random.gamma(0)).toThrow(RangeError);
  });

  it("draws Dirichlet shares that sum to one and never are NaN, at tiny concentrations too", () => {
    fc.assert(
      fc.property(fc.integer(), fc.double({ min: 1e-4, max: 100, noNaN: true }), (seed, concentration) => {
        const shares = createRandom(seed).dirichlet(Array(10).fill(concentration));
        expect(shares.every((share) => share >= 0 && share <= 1)).toBe(true);
        expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 12);
      }),
    );
  });
});

const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
