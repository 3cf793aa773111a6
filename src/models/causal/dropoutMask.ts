import * as tf from "@tensorflow/tfjs-core";

/**
 * What dropout multiplies by (Srivastava et al. 2014): 0 with probability `rate`, else 1 / (1 - rate), so that the
 * mean stays. The same keys give the same mask on every back end.
 * @param rate from 0 to below 1
 * @param keys two 32-bit numbers
 */
export function dropoutMask(
  shape: readonly number[],
  rate: number,
  keys: readonly [number, number],
): tf.Tensor {
  const mask = new Float32Array(shape.reduce((product, length) => product * length, 1));
  const kept = 1 / (1 - rate);
  const threshold = rate * 2 ** 32;
  const [first, second] = keys;
  for (let place = 0; place < mask.length; place++) {
    const hash = mixed(mixed((Math.imul(place, 0x9e3779b9) + first) | 0) ^ second);
    if (hash >>> 0 >= threshold) mask[place] = kept;
  }
  return tf.tensor(mask, [...shape]);
}

/** The finaliser of MurmurHash3 (Appleby 2011): every bit of the result hangs on every bit given. */
function mixed(value: number): number {
  const one = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  const two = Math.imul(one ^ (one >>> 13), 0xc2b2ae35);
  return two ^ (two >>> 16);
}
