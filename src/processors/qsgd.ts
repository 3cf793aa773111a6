import { z } from "zod";
import { parseOptions, type Random } from "../base/index.js";
import { elements } from "./elements.js";
import { malformed } from "./malformed.js";
import { packBits, packedBytes, unpackBits } from "./packedBits.js";
import type { ArrayProcessor, ProcessorFactory, ProcessorOptions } from "./processor.js";

const schema = z
  .strictObject({
    levels: z.int().positive().max(32_767).default(64).meta({
      description:
        "Steps between zero and a bucket's norm: 1 takes 2 bits for each weight, 7 takes 4, 64 takes 8.",
    }),
    bucket_size: z.int().positive().default(512).meta({
      description: "Weights that share a norm. Fewer are more exact, each bucket costs 4 bytes.",
    }),
    error_feedback: z.boolean().default(false).meta({
      description:
        "What rounding lost is kept with the logical client and added to its next update. Rounding is unbiased without it; with it, `levels` must be above the square root of `bucket_size`.",
    }),
  })
  .refine(({ levels, bucket_size, error_feedback }) => !error_feedback || levels ** 2 > bucket_size, {
    // The error of a bucket may else be larger than its content, and grow from round to round.
    error: "with error_feedback more levels than the square root of bucket_size",
    path: ["levels"],
  });

/**
 * QSGD (Alistarh, Grubic, Li, Tomioka and Vojnovic, "QSGD: Communication-Efficient SGD via Gradient Quantization and
 * Encoding", NeurIPS 2017): a change v in a bucket of norm n becomes n sign(v) l / s, where l is |v| s / n rounded up
 * or down by chance, so that its mean is v. In the place of the paper's variable-length code stand as many bits for
 * each weight as s + 1 levels and a sign need.
 */
export const qsgd: ProcessorFactory = Object.assign(createQsgd, {
  options: schema,
  ofUpdates: true,
  plato: { outbound: "model_quantize_qsgd", inbound: "model_dequantize_qsgd" },
});

function createQsgd(options: ProcessorOptions): ArrayProcessor {
  const given = parseOptions(schema, options, "[parameters.processors.qsgd]");
  const { levels, bucket_size: bucket, error_feedback: keepsError } = given;
  const width = 1 + Math.ceil(Math.log2(levels + 1));
  return {
    kind: "arrays",
    ofChanges: true,
    keepsError,
    leastAxes: 2,
    parts({ name, shape }) {
      const count = elements(shape);
      return [
        { name, dtype: "float32", shape: [Math.ceil(count / bucket)], fixed: true },
        { name, dtype: "uint8", shape: [packedBytes(count, width)], fixed: true },
      ];
    },
    encode: (arrays, random) =>
      arrays.map(({ data }) => {
        const norms = normsOf(data as Float32Array, bucket);
        const codes = Uint16Array.from(data, (value, index) =>
          codeOf(value, norms[Math.floor(index / bucket)]!, levels, random),
        );
        return [norms, packBits(codes, width)];
      }),
    decode({ name, shape }, [norms, packed]) {
      const codes = unpackBits(packed as Uint8Array, width, elements(shape));
      if (codes === undefined) throw malformed(`bits are set behind the last weight of "${name}"`);
      return Float32Array.from(codes, (code, index) => {
        const level = code >>> 1;
        if (level > levels) throw malformed(`"${name}" has level ${level}; there are ${levels}`);
        const size = (norms![Math.floor(index / bucket)]! * level) / levels;
        return (code & 1) === 1 ? -size : size;
      });
    },
  };
}

/** Euclidean norms of buckets. That of a bucket with NaN is NaN, so that the update is not taken for a good one. */
function normsOf(data: Float32Array, bucket: number): Float32Array {
  return Float32Array.from({ length: Math.ceil(data.length / bucket) }, (_, place) => {
    let squares = 0;
    for (const value of data.subarray(place * bucket, (place + 1) * bucket)) squares += value * value;
    return Math.sqrt(squares);
  });
}

/** Level and, as the lowest bit, the sign. */
function codeOf(value: number, norm: number, levels: number, random: Random): number {
  if (!(norm > 0)) return 0;
  const exact = (Math.abs(value) * levels) / norm;
  // A norm that was rounded down to single precision may be smaller than its only weight.
  const level = Math.min(levels, Math.floor(exact + random.next()));
  return level * 2 + (value < 0 ? 1 : 0);
}
