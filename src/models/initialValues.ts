import type { Random } from "../base/index.js";
import type { InitialVariable } from "./variableModel.js";

/**
 * He et al. 2015 (arXiv:1502.01852): normal with standard deviation sqrt(2 / fan-in), for a layer before
 * a ReLU.
 * @param fanIn inputs that reach one output
 */
export function heNormal(random: Random, shape: readonly number[], fanIn: number): InitialVariable {
  const deviation = Math.sqrt(2 / fanIn);
  return { shape, values: Float32Array.from({ length: size(shape) }, () => random.normal() * deviation) };
}

/**
 * Glorot and Bengio 2010: uniform within sqrt(6 / (fan-in + fan-out)), for an output layer.
 * @param shape [fan-in, fan-out]
 */
export function glorotUniform(random: Random, shape: readonly [number, number]): InitialVariable {
  const limit = Math.sqrt(6 / (shape[0] + shape[1]));
  return { shape, values: Float32Array.from({ length: size(shape) }, () => (2 * random.next() - 1) * limit) };
}

/** All zero, for biases. */
export function zeros(length: number): InitialVariable {
  return { shape: [length], values: new Float32Array(length) };
}

function size(shape: readonly number[]): number {
  return shape.reduce((product, length) => product * length, 1);
}
