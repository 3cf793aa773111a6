import { z } from "zod";
import { parseOptions } from "../base/index.js";
import { elements } from "./elements.js";
import { largest } from "./largest.js";
import { malformed } from "./malformed.js";
import type { ArrayProcessor, ProcessorFactory, ProcessorOptions } from "./processor.js";

const schema = z.strictObject({
  ratio: z.number().positive().max(1).default(0.01).meta({
    description: "Share of an array's changes that is sent: those of largest magnitude, at least one.",
  }),
  error_feedback: z.boolean().default(true).meta({
    description: "What was not sent is kept with the logical client and added to its next update.",
  }),
});

/**
 * Top-k sparsification with error feedback (Stich, Cordonnier and Jaggi, "Sparsified SGD with Memory", NeurIPS 2018):
 * of each array only the largest changes travel, as ascending positions and their values.
 */
export const topK: ProcessorFactory = Object.assign(createTopK, { options: schema, ofUpdates: true });

function createTopK(options: ProcessorOptions): ArrayProcessor {
  const { ratio, error_feedback: keepsError } = parseOptions(
    schema,
    options,
    "[parameters.processors.top_k]",
  );
  const kept = (length: number) => Math.min(length, Math.max(1, Math.ceil(length * ratio)));
  return {
    kind: "arrays",
    ofChanges: true,
    keepsError,
    leastAxes: 2,
    parts({ name, shape }) {
      const count = kept(elements(shape));
      return [
        { name, dtype: "int32", shape: [count], fixed: true },
        { name, dtype: "float32", shape: [count] },
      ];
    },
    encode: (arrays) => arrays.map(({ data }) => sparse(data as Float32Array, kept(data.length))),
    decode({ name, shape }, [positions, values]) {
      const data = new Float32Array(elements(shape));
      let last = -1;
      for (const [place, position] of (positions as Int32Array).entries()) {
        if (position <= last || position >= data.length) {
          throw malformed(
            `"${name}" has position ${position} behind ${last}; expected ascending ones below ${data.length}`,
          );
        }
        data[position] = values![place]!;
        last = position;
      }
      return data;
    },
  };
}

function sparse(data: Float32Array, count: number): [Int32Array, Float32Array] {
  const chosen = largest([data], count);
  const positions = new Int32Array(count);
  const values = new Float32Array(count);
  for (let index = 0, place = 0; index < data.length && place < count; index++) {
    const value = data[index]!;
    if (!chosen.keeps(value)) continue;
    positions[place] = index;
    values[place++] = value;
  }
  return [positions, values];
}
