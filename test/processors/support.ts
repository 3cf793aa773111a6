import { createRandom } from "../../src/base/index.js";
import { createPipeline, type Pipeline, payloadProcessors } from "../../src/processors/index.js";
import { type ByteSource, memorySource, type Weights } from "../../src/weights/index.js";

/** A pipeline of processors by name, with options. */
export function pipelineOf(...list: readonly [name: string, options?: Record<string, unknown>][]): Pipeline {
  return createPipeline(
    list.map(([name, options = {}]) => ({
      name,
      options,
      processor: payloadProcessors.lookup(name)(options),
    })),
  );
}

export const randomOf = (name: string) => createRandom(1, name);

/** Weights of one array of two axes. */
export function matrix(rows: readonly (readonly number[])[], name = "w"): Weights {
  const shape = [rows.length, rows[0]?.length ?? 0];
  return new Map([[name, { dtype: "float32", shape, data: Float32Array.from(rows.flat()) }]]);
}

export function numbersOf(weights: Weights, name = "w"): number[] {
  return [...weights.get(name)!.data];
}

/** A source in pieces of so many bytes, as no sender cuts them. */
export function source(parts: readonly Uint8Array[], piece = 7): ByteSource {
  const bytes = Buffer.concat(parts);
  const pieces: Uint8Array[] = [];
  for (let start = 0; start < bytes.length; start += piece) pieces.push(bytes.subarray(start, start + piece));
  return memorySource(pieces);
}
