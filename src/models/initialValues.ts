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

/** Makes the first values of a model's weights, one array after the other. */
export interface Initialiser {
  normal(shape: readonly number[], deviation: number): InitialVariable;
  /** Uniform within the limit on both sides of `centre`. */
  uniform(shape: readonly number[], limit: number, centre?: number): InitialVariable;
  constant(shape: readonly number[], value: number): InitialVariable;
}

/** Draws them. */
export function drawnValues(random: Random): Initialiser {
  const drawn = (shape: readonly number[], next: () => number): InitialVariable => ({
    shape,
    values: () => Float32Array.from({ length: size(shape) }, next),
  });
  return {
    normal: (shape, deviation) => drawn(shape, () => random.normal() * deviation),
    uniform: (shape, limit, centre = 0) => drawn(shape, () => centre + (2 * random.next() - 1) * limit),
    constant: (shape, value) => ({ shape, values: () => new Float32Array(size(shape)).fill(value) }),
  };
}

/** All zero, for weights that are about to be read from a file. */
export function emptyValues(): Initialiser {
  const empty = (shape: readonly number[]): InitialVariable => ({
    shape,
    values: () => new Float32Array(size(shape)),
  });
  return { normal: empty, uniform: empty, constant: empty };
}

function size(shape: readonly number[]): number {
  return shape.reduce((product, length) => product * length, 1);
}
