import * as tf from "@tensorflow/tfjs-core";
import { ElenchusError, inShort } from "../base/index.js";
import type { WeightArray, Weights } from "../weights/index.js";
import { FrozenFingerprint } from "./frozenFingerprint.js";
import type { ForwardOptions, Model } from "./model.js";

/** First values of one weight. */
export interface InitialVariable {
  readonly shape: readonly number[];
  /** Row-major, as many as the shape holds; a function is called once, so that not all need exist at a time. */
  readonly values: Float32Array | (() => Float32Array);
  /** Whether it is a running statistic: it travels, but no optimizer trains it. Default false. */
  readonly statistic?: boolean;
}

/**
 * A model whose weights are 32-bit floats, all but running statistics trainable until some are frozen: it has only to
 * say how it computes.
 */
export abstract class VariableModel implements Model {
  readonly name: string;
  /** Every weight in order, frozen or not. */
  readonly #weights = new Map<string, tf.Tensor>();
  #variables: ReadonlyMap<string, tf.Variable> = new Map();
  readonly #statistics = new Map<string, tf.Variable>();
  #frozen: ReadonlyMap<string, tf.Tensor> = new Map();
  readonly #fingerprint = new FrozenFingerprint();

  constructor(name: string, initial: ReadonlyMap<string, InitialVariable>) {
    this.name = name;
    this.addVariables(initial);
  }

  get variables(): ReadonlyMap<string, tf.Variable> {
    return this.#variables;
  }

  get frozen(): ReadonlyMap<string, tf.Tensor> {
    return this.#frozen;
  }

  abstract forward(inputs: tf.Tensor, options: ForwardOptions): tf.Tensor;

  freeze(stays: (name: string) => boolean): void {
    const variables = new Map(this.#variables);
    const frozen = new Map(this.#frozen);
    for (const [name, variable] of this.#traveling()) {
      if (stays(name)) continue;
      // A plain tensor shares the numbers, and nobody can assign to it.
      const constant = tf.keep(tf.clone<tf.Tensor>(variable));
      variable.dispose();
      variables.delete(name);
      this.#statistics.delete(name);
      frozen.set(name, constant);
      this.#weights.set(name, constant);
    }
    this.#variables = variables;
    this.#frozen = frozen;
  }

  /** Every weight itself in order, frozen or not. */
  allWeights(): ReadonlyMap<string, tf.Tensor> {
    return this.#weights;
  }

  weights(): Weights {
    return this.#fingerprint.beside(readWeights(this.#traveling()), this.#frozen);
  }

  loadWeights(weights: Weights): void {
    writeWeights(this.name, this.#traveling(), this.#fingerprint.taken(this.name, weights, this.#frozen));
  }

  dispose(): void {
    for (const weight of this.#weights.values()) weight.dispose();
  }

  /** The weight of that name, for `forward`. @throws Error for a name the model does not have */
  protected variable(name: string): tf.Tensor {
    const found = this.#weights.get(name);
    if (!found) throw new Error(`the model ${this.name} has no weight named ${name}`);
    return found;
  }

  /** The weight of that name, where the model has it. */
  protected weight(name: string): tf.Tensor | undefined {
    return this.#weights.get(name);
  }

  /** The running statistic of that name; undefined where the model has none, or a frozen one. */
  protected statistic(name: string): tf.Variable | undefined {
    return this.#statistics.get(name);
  }

  /** More weights, behind those that are there. */
  protected addVariables(initial: ReadonlyMap<string, InitialVariable>): void {
    const variables = new Map(this.#variables);
    for (const [name, { shape, values, statistic = false }] of initial) {
      const tensor = tf.tensor(typeof values === "function" ? values() : values, [...shape], "float32");
      const variable = tf.variable(tensor, !statistic);
      tensor.dispose();
      (statistic ? this.#statistics : variables).set(name, variable);
      this.#weights.set(name, variable);
    }
    this.#variables = variables;
  }

  /** Every weight that is not frozen, in order. */
  #traveling(): Map<string, tf.Variable> {
    const all = [...this.#weights].filter(([name]) => !this.#frozen.has(name));
    return new Map(all as [string, tf.Variable][]);
  }
}

/** Copies of the tensors' values, by the same names and in the same order. */
export function readWeights(tensors: ReadonlyMap<string, tf.Tensor>): Weights {
  const weights = new Map<string, WeightArray>();
  for (const [name, tensor] of tensors) {
    weights.set(name, { dtype: "float32", shape: [...tensor.shape], data: readVariable(tensor) });
  }
  return weights;
}

/** A copy of a tensor's values. */
export function readVariable(tensor: tf.Tensor): Float32Array {
  // The cpu back end gives out its own array.
  return new Float32Array(tensor.dataSync<"float32">());
}

/**
 * Puts an array, which is given away, in the place of a variable's values.
 * @throws WEIGHTS_INVALID when it is of another type or shape
 */
export function writeVariable(
  name: string,
  variable: tf.Variable,
  { dtype, shape, data }: WeightArray,
): void {
  if (dtype !== "float32" || shape.join() !== variable.shape.join()) {
    throw new ElenchusError(
      "WEIGHTS_INVALID",
      `The array ${name} is ${dtype} [${shape.join(", ")}]; expected float32 [${variable.shape.join(", ")}].`,
    );
  }
  tf.tidy(() => variable.assign(tf.tensor(data, [...shape], "float32")));
}

/**
 * Copies weights into variables, all or none.
 * @throws WEIGHTS_INVALID naming every weight that is missing, unknown, or of another type or shape
 */
export function writeWeights(
  model: string,
  variables: ReadonlyMap<string, { shape: readonly (number | null)[]; assign(value: tf.Tensor): void }>,
  weights: Weights,
): void {
  const faults: string[] = [];
  for (const [name, { shape }] of variables) {
    const given = weights.get(name);
    const size = shape.reduce<number>((product, length) => product * (length ?? 1), 1);
    if (!given) faults.push(`${name} is missing`);
    else if (given.dtype !== "float32" || !(given.data instanceof Float32Array)) {
      faults.push(`${name} is ${given.dtype}, expected float32`);
    } else if (given.shape.join() !== shape.join() || given.data.length !== size) {
      faults.push(
        `${name} is [${given.shape.join(", ")}] of ${given.data.length} numbers, expected [${shape.join(", ")}]`,
      );
    }
  }
  for (const name of weights.keys()) if (!variables.has(name)) faults.push(`${name} is unknown`);
  if (faults.length > 0) {
    throw new ElenchusError(
      "WEIGHTS_INVALID",
      `These weights do not fit the model ${model}: ${inShort(faults, { separator: "; " })}. They must come from the same model with the same [parameters.model].`,
      { details: { model, faults } },
    );
  }
  tf.tidy(() => {
    for (const [name, variable] of variables) {
      const { data, shape } = weights.get(name)!;
      // The cpu back end keeps the array it is given.
      variable.assign(tf.tensor(data.slice(), [...shape], "float32"));
    }
  });
}
