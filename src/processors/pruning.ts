import { z } from "zod";
import { parseOptions, type Random } from "../base/index.js";
import { largest } from "./largest.js";
import type { ArrayProcessor, NamedArray, ProcessorFactory, ProcessorOptions } from "./processor.js";

const amount = z.number().min(0).max(1).default(0.2);

const unstructuredSchema = z.strictObject({
  amount: amount.meta({ description: "Share of all weights of all arrays together that becomes 0." }),
  method: z.enum(["l1", "random"]).default("l1").meta({
    description: "Which: those of smallest magnitude, or any.",
  }),
});

/** Single weights become 0, over all arrays of two or more axes together. Fewer bytes come of it with `zstd` behind. */
export const unstructuredPruning: ProcessorFactory = Object.assign(createUnstructured, {
  options: unstructuredSchema,
  oneWay: true,
  plato: { outbound: "unstructured_pruning" },
});

function createUnstructured(options: ProcessorOptions): ArrayProcessor {
  const where = "[parameters.processors.unstructured_pruning]";
  const { amount: share, method } = parseOptions(unstructuredSchema, options, where);
  return {
    kind: "arrays",
    leastAxes: 2,
    encode(arrays, random) {
      const values = arrays.map(({ data }) => data as Float32Array);
      const total = values.reduce((sum, { length }) => sum + length, 0);
      const kept = total - Math.round(total * share);
      const chosen = method === "l1" ? largest(values, kept) : anyOf(total, kept, random);
      return values.map((data) => [data.map((value) => (chosen.keeps(value) ? value : 0))]);
    },
  };
}

/** So many of all, each set of them as likely as any other. */
function anyOf(total: number, kept: number, random: Random): { keeps(): boolean } {
  let left = total;
  let missing = kept;
  return {
    keeps() {
      const chosen = random.next() * left-- < missing;
      if (chosen) missing--;
      return chosen;
    },
  };
}

const structuredSchema = z.strictObject({
  amount: amount.meta({ description: "Share of each array's units that becomes 0." }),
  norm: z
    .union([z.literal(1), z.literal(2)])
    .default(1)
    .meta({
      description: "Units are compared by the sum of magnitudes, or by that of squares.",
    }),
});

/**
 * Whole units become 0: of each array of two or more axes those slices of its last axis, the outputs of a layer, whose
 * norm is smallest; of equal ones the last. Fewer bytes come of it with `zstd` behind.
 */
export const structuredPruning: ProcessorFactory = Object.assign(createStructured, {
  options: structuredSchema,
  oneWay: true,
  plato: { outbound: "structured_pruning" },
});

function createStructured(options: ProcessorOptions): ArrayProcessor {
  const where = "[parameters.processors.structured_pruning]";
  const { amount: share, norm } = parseOptions(structuredSchema, options, where);
  return {
    kind: "arrays",
    leastAxes: 2,
    encode: (arrays) => arrays.map((array) => [withoutSmallest(array, share, norm)]),
  };
}

function withoutSmallest({ shape, data }: NamedArray, share: number, norm: 1 | 2): Float32Array {
  const units = shape.at(-1) ?? 1;
  const norms = new Float64Array(units);
  for (const [index, value] of data.entries()) norms[index % units]! += Math.abs(value) ** norm;
  const ascending = [...norms.keys()].sort((one, other) => norms[one]! - norms[other]! || other - one);
  const pruned = new Set(ascending.slice(0, Math.round(units * share)));
  return Float32Array.from(data, (value, index) => (pruned.has(index % units) ? 0 : value));
}
