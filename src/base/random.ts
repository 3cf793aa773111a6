import { createHash } from "node:crypto";

/** The whole state of a generator: four unsigned 32-bit words, JSON-able, not all zero. */
export type RandomState = readonly [number, number, number, number];

/**
 * A seeded generator. Every random choice of a run comes from one, made from the run's seed and a label,
 * so that drawing more in one place never changes what another draws.
 */
export interface Random {
  /** A double in [0, 1) with 53 random bits. */
  next(): number;
  /** An unsigned 32-bit integer. */
  uint32(): number;
  /** An integer in [0, bound), without bias. `bound` from 1 to 2^32. */
  int(bound: number): number;
  /** A standard normal deviate. */
  normal(): number;
  /** A deviate of Gamma(shape, 1), `shape` > 0. */
  gamma(shape: number): number;
  /** Shares that sum to 1, from the symmetric or given Dirichlet. */
  dirichlet(concentrations: readonly number[]): number[];
  /** Shuffles in place (Fisher-Yates) and returns its argument. */
  shuffle<A extends number[] | Int32Array | Uint32Array | unknown[]>(items: A): A;
  /** `count` distinct integers from [0, bound), in the order drawn. */
  sample(bound: number, count: number): number[];
  /** The state, to be stored and given back to `restore`. */
  state(): RandomState;
  restore(state: RandomState): void;
}

/**
 * xoshiro128** by Blackman and Vigna (2018), seeded from the SHA-256 of the seed and its labels.
 * @param labels what the generator is for, for example `"selection"` or `"train", clientId, round`
 */
export function createRandom(seed: number | string, ...labels: (string | number)[]): Random {
  const digest = createHash("sha256")
    .update(JSON.stringify([seed, ...labels]))
    .digest();
  let words: [number, number, number, number] = [
    digest.readUInt32LE(0),
    digest.readUInt32LE(4),
    digest.readUInt32LE(8),
    digest.readUInt32LE(12) | 1,
  ];

  const uint32 = (): number => {
    const [a, b, c, d] = words;
    const result = Math.imul(rotateLeft(Math.imul(b, 5), 7), 9) >>> 0;
    const x2 = c ^ a;
    const x3 = d ^ b;
    words = [(a ^ x3) >>> 0, (b ^ x2) >>> 0, (x2 ^ (b << 9)) >>> 0, rotateLeft(x3, 11) >>> 0];
    return result;
  };
  const next = (): number => ((uint32() >>> 5) * 0x4000000 + (uint32() >>> 6)) / 2 ** 53;
  const int = (bound: number): number => {
    if (!Number.isInteger(bound) || bound < 1 || bound > 2 ** 32) {
      throw new RangeError(`int(bound) needs an integer from 1 to 2^32, not ${bound}`);
    }
    const limit = 2 ** 32 - (2 ** 32 % bound);
    let drawn = uint32();
    while (drawn >= limit) drawn = uint32();
    return drawn % bound;
  };
  // Marsaglia's polar method; the second deviate of a pair is thrown away, so that `state` says everything.
  const normal = (): number => {
    for (;;) {
      const u = 2 * next() - 1;
      const v = 2 * next() - 1;
      const s = u * u + v * v;
      if (s === 0 || s >= 1) continue;
      return u * Math.sqrt((-2 * Math.log(s)) / s);
    }
  };
  // Logarithm of a gamma deviate (Marsaglia and Tsang 2000); in logarithms a tiny shape does not underflow.
  const logGamma = (shape: number): number => {
    if (!(shape > 0) || !Number.isFinite(shape))
      throw new RangeError(`a gamma shape must be positive, not ${shape}`);
    if (shape < 1) return logGamma(shape + 1) + Math.log(1 - next()) / shape;
    const d = shape - 1 / 3;
    const c = 1 / Math.sqrt(9 * d);
    for (;;) {
      const x = normal();
      const v = (1 + c * x) ** 3;
      if (v <= 0) continue;
      const u = 1 - next();
      if (Math.log(u) < 0.5 * x * x + d - d * v + d * Math.log(v)) return Math.log(d * v);
    }
  };

  return {
    next,
    uint32,
    int,
    normal,
    gamma: (shape) => Math.exp(logGamma(shape)),
    dirichlet(concentrations) {
      const logs = concentrations.map(logGamma);
      const largest = Math.max(...logs);
      const parts = logs.map((value) => Math.exp(value - largest));
      const total = parts.reduce((sum, part) => sum + part, 0);
      return parts.map((part) => part / total);
    },
    shuffle(items) {
      for (let last = items.length - 1; last > 0; last--) {
        const chosen = int(last + 1);
        const kept = items[last]!;
        items[last] = items[chosen]!;
        items[chosen] = kept;
      }
      return items;
    },
    sample(bound, count) {
      if (count > bound) throw new RangeError(`cannot draw ${count} distinct integers from ${bound}`);
      // Fisher-Yates on a sparse array: only the places that were touched are stored.
      const moved = new Map<number, number>();
      const drawn: number[] = [];
      for (let index = 0; index < count; index++) {
        const chosen = index + int(bound - index);
        drawn.push(moved.get(chosen) ?? chosen);
        moved.set(chosen, moved.get(index) ?? index);
      }
      return drawn;
    },
    state: () => words,
    restore(state) {
      words = [...state];
    },
  };
}

function rotateLeft(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}
