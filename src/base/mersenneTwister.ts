/** The generator MT19937 (Matsumoto and Nishimura 1998), which Python and NumPy draw from. */
export class MersenneTwister {
  readonly #words = new Uint32Array(SIZE);
  #place = SIZE;

  private constructor(seed: number) {
    this.#words[0] = seed;
    for (let place = 1; place < SIZE; place++) {
      const before = this.#words[place - 1]!;
      this.#words[place] = Math.imul(1812433253, before ^ (before >>> 30)) + place;
    }
  }

  /** `init_genrand` of the authors' reference code: NumPy's `seed`. */
  static ofSeed(seed: number): MersenneTwister {
    return new MersenneTwister(seed);
  }

  /** `init_by_array` of the authors' reference code: Python's `seed`. */
  static ofWords(key: Uint32Array): MersenneTwister {
    const twister = new MersenneTwister(19650218);
    mix(twister.#words, key);
    return twister;
  }

  /** The next 32 random bits. */
  uint32(): number {
    if (this.#place >= SIZE) {
      twist(this.#words);
      this.#place = 0;
    }
    let word = this.#words[this.#place++]!;
    word ^= word >>> 11;
    word ^= (word << 7) & 0x9d2c5680;
    word ^= (word << 15) & 0xefc60000;
    return (word ^ (word >>> 18)) >>> 0;
  }
}

const SIZE = 624;
const MIDDLE = 397;

function mix(state: Uint32Array, key: Uint32Array): void {
  let place = 1;
  let word = 0;
  const step = (factor: number) => {
    const before = state[place - 1]!;
    return state[place]! ^ Math.imul(before ^ (before >>> 30), factor);
  };
  const advance = () => {
    place++;
    if (place < SIZE) return;
    state[0] = state[SIZE - 1]!;
    place = 1;
  };
  for (let count = Math.max(SIZE, key.length); count > 0; count--) {
    state[place] = step(1664525) + key[word]! + word;
    advance();
    word = (word + 1) % key.length;
  }
  for (let count = SIZE - 1; count > 0; count--) {
    state[place] = step(1566083941) - place;
    advance();
  }
  state[0] = 0x80000000;
}

function twist(state: Uint32Array): void {
  for (let place = 0; place < SIZE; place++) {
    const joined = (state[place]! & 0x80000000) | (state[(place + 1) % SIZE]! & 0x7fffffff);
    state[place] = state[(place + MIDDLE) % SIZE]! ^ (joined >>> 1) ^ (joined & 1 ? 0x9908b0df : 0);
  }
}
