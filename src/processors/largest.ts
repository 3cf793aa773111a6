/** Which numbers are among the largest by magnitude. */
export interface Largest {
  /** Takes the next number, in order: true when it is among them. */
  keeps(value: number): boolean;
}

/**
 * Finds the `count` numbers of largest magnitude in all arrays together; of equal ones the first. NaN counts as larger
 * than any number, so that it is not hidden. Two passes over the numbers, no sorting: a float's bits without its sign
 * have the order of its magnitude, and their upper and lower halves are counted apart.
 */
export function largest(arrays: readonly Float32Array[], count: number): Largest {
  const words = arrays.map((data) => new Uint32Array(data.buffer, data.byteOffset, data.length));
  const upper = new Uint32Array(0x8000);
  for (const array of words) for (const word of array) upper[(word & MAGNITUDE) >>> 16]!++;
  const high = place(upper, count);
  const lower = new Uint32Array(0x1_0000);
  for (const array of words) {
    for (const word of array) if ((word & MAGNITUDE) >>> 16 === high.bucket) lower[word & 0xffff]!++;
  }
  const low = place(lower, high.missing);
  const threshold = high.bucket * 0x1_0000 + low.bucket;
  let equal = low.missing;

  const float = new Float32Array(1);
  const bits = new Uint32Array(float.buffer);
  return {
    keeps(value) {
      float[0] = value;
      const magnitude = bits[0]! & MAGNITUDE;
      if (magnitude !== threshold) return magnitude > threshold;
      return equal-- > 0;
    },
  };
}

const MAGNITUDE = 0x7fff_ffff;

/** The bucket, from above, in which the count is reached, and how many of it are needed. */
function place(buckets: Uint32Array, count: number): { bucket: number; missing: number } {
  let missing = count;
  for (let bucket = buckets.length - 1; bucket > 0; bucket--) {
    if (buckets[bucket]! >= missing) return { bucket, missing };
    missing -= buckets[bucket]!;
  }
  return { bucket: 0, missing };
}
