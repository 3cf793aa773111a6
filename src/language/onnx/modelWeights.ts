import type * as tf from "@tensorflow/tfjs-core";
import { tensorValues } from "../../compute/index.js";
import type { OnnxRuntime, OnnxTensor } from "./onnxRuntime.js";

/**
 * A model's weights as onnxruntime takes them: where TensorFlow.js has them, so that a new round's weights cost
 * nothing and training goes on under it.
 */
export class ModelWeights {
  readonly #runtime: OnnxRuntime;
  readonly #variables: ReadonlyMap<string, tf.Variable>;
  readonly #bound = new Map<string, Bound>();

  constructor(runtime: OnnxRuntime, variables: ReadonlyMap<string, tf.Variable>) {
    this.#runtime = runtime;
    this.#variables = variables;
  }

  /** Shapes by weight name. */
  get shapes(): ReadonlyMap<string, readonly number[]> {
    return new Map([...this.#variables].map(([name, { shape }]) => [name, shape]));
  }

  /** The weights of these names as they are now. */
  tensors(names: Iterable<string>): Record<string, OnnxTensor> {
    const tensors: Record<string, OnnxTensor> = {};
    for (const name of names) tensors[name] = this.#current(name).tensor;
    return tensors;
  }

  /** Whether these weights still lie where `tensors` found them. */
  unmoved(names: Iterable<string>): boolean {
    for (const name of names) {
      const bound = this.#bound.get(name);
      if (!bound || !isCurrent(bound, this.#variables.get(name)!)) return false;
    }
    return true;
  }

  #current(name: string): Bound {
    const variable = this.#variables.get(name)!;
    const known = this.#bound.get(name);
    if (known && isCurrent(known, variable)) return known;
    const values = tensorValues(variable);
    const tensor = new this.#runtime.Tensor("float32", values, variable.shape);
    const bound = { id: variable.dataId, values, tensor };
    this.#bound.set(name, bound);
    return bound;
  }
}

interface Bound {
  readonly id: tf.DataId;
  readonly values: Float32Array;
  readonly tensor: OnnxTensor;
}

/** A new value has another id; a heap that has grown leaves arrays of no length behind. */
function isCurrent({ id, values }: Bound, variable: tf.Variable): boolean {
  return id === variable.dataId && (values.length > 0 || variable.size === 0);
}
