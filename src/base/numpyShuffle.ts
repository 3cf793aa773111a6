import { MersenneTwister } from "./mersenneTwister.js";

/**
 * The numbers 0 to `count` - 1 as NumPy's `random.seed(seed); random.shuffle(...)` leaves them: what was shuffled there
 * is found again here. (The legacy generator, whose stream NumPy keeps: bits under a mask, drawn again while too large.)
 */
export function numpyShuffle(count: number, seed: number): Int32Array {
  const twister = MersenneTwister.ofSeed(seed);
  const order = Int32Array.from({ length: count }, (_, place) => place);
  for (let last = count - 1; last > 0; last--) {
    const mask = 0xffffffff >>> Math.clz32(last);
    let chosen = (twister.uint32() & mask) >>> 0;
    while (chosen > last) chosen = (twister.uint32() & mask) >>> 0;
    const kept = order[last]!;
    order[last] = order[chosen]!;
    order[chosen] = kept;
  }
  return order;
}
