/** Formats of 16 bits that checkpoints are published in. */
export type HalfFormat = "F16" | "BF16";

/**
 * Writes 16-bit floats as 32-bit ones, which hold them exactly; the payload of a NaN is kept.
 * @param at place of the first in `target`
 */
export function widen(format: HalfFormat, halves: Uint16Array, target: Float32Array, at: number): void {
  const bits = new Uint32Array(target.buffer, target.byteOffset, target.length);
  if (format === "BF16") {
    // A bfloat16 is the upper half of a 32-bit float.
    for (let index = 0; index < halves.length; index++) bits[at + index] = halves[index]! << 16;
    return;
  }
  table ??= Uint32Array.from({ length: 0x1_0000 }, (_, half) => widenHalf(half));
  for (let index = 0; index < halves.length; index++) bits[at + index] = table[halves[index]!]!;
}

/** The 32-bit pattern of every 16-bit one, made when it is first needed. */
let table: Uint32Array | undefined;

/** IEEE 754 binary16: one sign bit, five bits of exponent with bias 15, ten of fraction. */
function widenHalf(half: number): number {
  const sign = (half & 0x8000) << 16;
  const exponent = (half >>> 10) & 0x1f;
  const fraction = half & 0x3ff;
  if (exponent === 0x1f) return sign | 0x7f80_0000 | (fraction << 13);
  if (exponent !== 0) return sign | ((exponent + 112) << 23) | (fraction << 13);
  if (fraction === 0) return sign;
  // Too small for the format's own exponents, not for those of 32 bits: shift until the leading bit drops out.
  const shift = Math.clz32(fraction) - 21;
  return sign | ((113 - shift) << 23) | ((fraction << (13 + shift)) & 0x7f_ffff);
}
