import { type HalfFormat, type WeightData, widen } from "../weights/index.js";
import type { ArrayProcessor, ProcessorFactory } from "./processor.js";

/**
 * Half precision, IEEE 754 binary16, rounded to the nearest, halves to even. Beyond ±65504 a weight becomes infinite,
 * which the server then refuses as it refuses every update that is not finite.
 */
export const float16: ProcessorFactory = () => sixteenBits("F16", toHalf);

/** Brain float: the upper half of single precision, rounded to the nearest, halves to even. Plato's quantisation. */
export const bfloat16: ProcessorFactory = Object.assign(() => sixteenBits("BF16", toBrain), {
  plato: { outbound: "model_quantize", inbound: "model_dequantize" },
});

/** @param narrow turns the pattern of 32 bits into that of 16 */
function sixteenBits(format: HalfFormat, narrow: (bits: number) => number): ArrayProcessor {
  return {
    kind: "arrays",
    parts: ({ name, shape }) => [{ name, dtype: "uint8", shape: [...shape, 2], fixed: true }],
    encode: (arrays) =>
      arrays.map(({ data }) => {
        const halves = Uint16Array.from(patterns(data), narrow);
        return [new Uint8Array(halves.buffer)];
      }),
    decode(_array, [bytes]) {
      // A copy: the bytes may stand where no 16-bit number can.
      const halves = new Uint16Array(new Uint8Array(bytes as Uint8Array).buffer);
      const data = new Float32Array(halves.length);
      widen(format, halves, data, 0);
      return data;
    },
  };
}

function patterns(data: WeightData): Uint32Array {
  return new Uint32Array(data.buffer, data.byteOffset, data.length);
}

function toBrain(bits: number): number {
  // The sum below would carry a NaN over into an infinity or a zero.
  if ((bits & 0x7fff_ffff) > 0x7f80_0000) return (bits >>> 16) | 0x40;
  return (bits + 0x7fff + ((bits >>> 16) & 1)) >>> 16;
}

function toHalf(bits: number): number {
  const sign = (bits >>> 16) & 0x8000;
  const magnitude = bits & 0x7fff_ffff;
  if (magnitude > 0x7f80_0000) return sign | 0x7e00;
  // From halfway between the largest half and the next one that there would be.
  if (magnitude >= 0x477f_f000) return sign | 0x7c00;
  if (magnitude >= 0x3880_0000) {
    const rebased = magnitude - 0x3800_0000;
    return sign | ((rebased + 0xfff + ((rebased >>> 13) & 1)) >>> 13);
  }
  // Multiples of 2^-24, of which the largest rounds up into the smallest normal half by itself.
  const exponent = magnitude >>> 23;
  if (exponent < 102) return sign;
  const significand = (magnitude & 0x7f_ffff) | 0x80_0000;
  const shift = 126 - exponent;
  const kept = significand >>> shift;
  const rest = significand & ((1 << shift) - 1);
  const half = 1 << (shift - 1);
  return sign | (kept + (rest > half || (rest === half && (kept & 1) === 1) ? 1 : 0));
}
