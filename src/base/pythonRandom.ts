import { createHash } from "node:crypto";
import { MersenneTwister } from "./mersenneTwister.js";

/**
 * CPython's `random.Random`, draw for draw: what was shuffled or drawn in Python is found again here. The Mersenne
 * Twister is seeded and read as CPython 3.11 does. For choices of this
 * product's own there is `createRandom`.
 */
export class PythonRandom {
  readonly #twister: MersenneTwister;
  #spareGauss: number | undefined;

  /**
   * @param seed an integer, whose sign does not count, or a text
   * @throws RangeError for a number that is no safe integer
   */
  constructor(seed: number | bigint | string) {
    this.#twister = MersenneTwister.ofWords(seedWords(seed));
  }

  /** A double in [0, 1) of 53 random bits. */
  random(): number {
    const high = this.#next() >>> 5;
    return (high * 0x4000000 + (this.#next() >>> 6)) / 2 ** 53;
  }

  /** An integer of that many random bits, 0 to 53. */
  getrandbits(bits: number): number {
    if (!Number.isInteger(bits) || bits < 0 || bits > 53) {
      throw new RangeError(`getrandbits needs 0 to 53 bits, not ${bits}`);
    }
    if (bits === 0) return 0;
    if (bits <= 32) return this.#next() >>> (32 - bits);
    const low = this.#next();
    return (this.#next() >>> (64 - bits)) * 2 ** 32 + low;
  }

  /** An integer in [0, bound), 1 to 2^53: `Random._randbelow`. */
  below(bound: number): number {
    if (!Number.isInteger(bound) || bound < 1 || bound > 2 ** 53) {
      throw new RangeError(`an integer is drawn below a bound from 1 to 2^53, not ${bound}`);
    }
    const bits = bitLength(bound);
    for (;;) {
      const drawn = bits <= 32 ? this.#next() >>> (32 - bits) : this.getrandbits(bits);
      if (drawn < bound) return drawn;
    }
  }

  /** `randrange(stop)`, or an integer of `start, start + step, ...` before `stop`. */
  randrange(start: number, stop?: number, step = 1): number {
    if (stop === undefined) return this.below(start);
    if (step === 0) throw new RangeError("randrange needs a step other than 0");
    return start + step * this.below(Math.ceil((stop - start) / step));
  }

  /** An integer from `first` to `last`, both included. */
  randint(first: number, last: number): number {
    return this.randrange(first, last + 1);
  }

  uniform(from: number, to: number): number {
    return from + (to - from) * this.random();
  }

  choice<T>(items: ArrayLike<T>): T {
    return items[this.below(items.length)]!;
  }

  /** Draws with replacement, each as likely as its weight says; all alike without weights. */
  choices<T>(items: ArrayLike<T>, count: number, weights?: readonly number[]): T[] {
    if (weights === undefined) {
      return Array.from({ length: count }, () => items[Math.floor(this.random() * items.length)]!);
    }
    let total = 0;
    const sums = weights.map((weight) => {
      total += weight;
      return total;
    });
    return Array.from({ length: count }, () => {
      const place = this.random() * total;
      const found = sums.findIndex((sum) => place < sum);
      return items[found === -1 ? items.length - 1 : found]!;
    });
  }

  /** Shuffles in place and returns its argument. */
  shuffle<T>(items: T[]): T[] {
    for (let last = items.length - 1; last > 0; last--) {
      const chosen = this.below(last + 1);
      const kept = items[last]!;
      items[last] = items[chosen]!;
      items[chosen] = kept;
    }
    return items;
  }

  /** That many distinct items, in the order drawn. @throws RangeError for more than there are */
  sample<T>(items: readonly T[], count: number): T[] {
    const size = items.length;
    if (!(count >= 0 && count <= size)) {
      throw new RangeError(`a sample of ${count} cannot be drawn from ${size}`);
    }
    // CPython: a set of drawn places is smaller than a copy of the items from this size on.
    const setSize = 21 + (count > 5 ? 4 ** Math.ceil(Math.log(count * 3) / Math.log(4)) : 0);
    if (size <= setSize) {
      const pool = [...items];
      return Array.from({ length: count }, (_, drawn) => {
        const place = this.below(size - drawn);
        const item = pool[place]!;
        pool[place] = pool[size - drawn - 1]!;
        return item;
      });
    }
    const seen = new Set<number>();
    return Array.from({ length: count }, () => {
      let place = this.below(size);
      while (seen.has(place)) place = this.below(size);
      seen.add(place);
      return items[place]!;
    });
  }

  /** A normal deviate. Two come of one pair of draws: the second is kept for the next call. */
  gauss(mean = 0, deviation = 1): number {
    const spare = this.#spareGauss;
    if (spare !== undefined) {
      this.#spareGauss = undefined;
      return mean + spare * deviation;
    }
    const angle = this.random() * 2 * Math.PI;
    const radius = Math.sqrt(-2 * Math.log(1 - this.random()));
    this.#spareGauss = Math.sin(angle) * radius;
    return mean + Math.cos(angle) * radius * deviation;
  }

  #next(): number {
    return this.#twister.uint32();
  }
}

/** A text counts as the integer of its UTF-8 bytes and their SHA-512, as seeds of version 2 do. */
function seedWords(seed: number | bigint | string): Uint32Array {
  if (typeof seed === "number" && !Number.isSafeInteger(seed)) {
    throw new RangeError(`a seed is a safe integer, not ${seed}`);
  }
  let rest: bigint;
  if (typeof seed === "string") {
    const bytes = Buffer.from(seed, "utf8");
    const digest = createHash("sha512").update(bytes).digest();
    rest = BigInt(`0x${Buffer.concat([bytes, digest]).toString("hex")}`);
  } else {
    rest = BigInt(seed);
    if (rest < 0n) rest = -rest;
  }
  const words: number[] = [];
  do {
    words.push(Number(rest & 0xffffffffn));
    rest >>= 32n;
  } while (rest > 0n);
  return Uint32Array.from(words);
}

function bitLength(value: number): number {
  return value < 2 ** 32 ? 32 - Math.clz32(value) : 64 - Math.clz32(Math.floor(value / 2 ** 32));
}
