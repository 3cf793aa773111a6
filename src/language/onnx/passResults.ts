import type { CausalGraph } from "../../models/onnx/index.js";
import type { KeyValueBuffers } from "./keyValueBuffers.js";
import type { OnnxTensor } from "./onnxRuntime.js";
import type { Reading } from "./reading.js";

/** Puts what was read into the cache. */
export function keep(
  cache: KeyValueBuffers,
  { own, length, batch }: Reading,
  outputs: CausalGraph["outputs"],
  results: Readonly<Record<string, OnnxTensor>>,
): void {
  const layers = outputs.keys.map((name, layer) => ({
    keys: numbers(results[name]),
    values: numbers(results[outputs.values[layer]!]),
  }));
  cache.append(layers, length, own);
  if (outputs.shifted === "") return;
  const shifted = numbers(results[outputs.shifted]);
  const width = shifted.length / (batch * (length + 1));
  own.forEach((count, row) => {
    // The entry at a row's own length is its last token, or what it had before.
    const start = (row * (length + 1) + count) * width;
    cache.last.set(shifted.subarray(start, start + width), row * width);
  });
}

/** @throws TypeError for what is no 32-bit floats */
export function numbers(tensor: OnnxTensor | undefined): Float32Array {
  if (tensor?.data instanceof Float32Array) return tensor.data;
  throw new TypeError("onnxruntime gave no 32-bit floats where they were expected");
}
