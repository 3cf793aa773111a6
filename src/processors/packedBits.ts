/** Bytes that `count` numbers of `width` bits take. */
export function packedBytes(count: number, width: number): number {
  return Math.ceil((count * width) / 8);
}

/** Writes numbers of 1 to 16 bits one behind the other, the lowest bit first; the last byte is filled with zeros. */
export function packBits(numbers: Uint16Array, width: number): Uint8Array {
  const packed = new Uint8Array(packedBytes(numbers.length, width));
  let bits = 0;
  let held = 0;
  let place = 0;
  for (const number of numbers) {
    bits |= number << held;
    held += width;
    for (; held >= 8; held -= 8) {
      packed[place++] = bits & 0xff;
      bits >>>= 8;
    }
  }
  if (held > 0) packed[place] = bits;
  return packed;
}

/** Reads `count` of them. Undefined when what fills the last byte is not zero. */
export function unpackBits(packed: Uint8Array, width: number, count: number): Uint16Array | undefined {
  const numbers = new Uint16Array(count);
  const mask = (1 << width) - 1;
  let bits = 0;
  let held = 0;
  let place = 0;
  for (let index = 0; index < count; index++) {
    for (; held < width; held += 8) bits |= packed[place++]! << held;
    numbers[index] = bits & mask;
    bits >>>= width;
    held -= width;
  }
  return bits === 0 ? numbers : undefined;
}
