import type * as tf from "@tensorflow/tfjs-core";
import { tensorValues } from "../../compute/index.js";
import type { CausalModel, EffectiveWeight } from "../../models/index.js";
import type { OnnxRuntime, OnnxTensor } from "./onnxRuntime.js";

/**
 * A model's weights as onnxruntime takes them: where TensorFlow.js has them, so that a new round's weights cost
 * nothing and training goes on under it. Only where an adapter adds to one, the sum is computed, anew when one of its
 * parts has changed.
 */
export class ModelWeights {
  readonly #runtime: OnnxRuntime;
  readonly #weights: ReadonlyMap<string, EffectiveWeight>;
  readonly #bound = new Map<string, Bound>();

  constructor(runtime: OnnxRuntime, model: CausalModel) {
    this.#runtime = runtime;
    this.#weights = model.effectiveWeights?.() ?? alone(model.variables);
  }

  /** Shapes by weight name. */
  get shapes(): ReadonlyMap<string, readonly number[]> {
    return new Map([...this.#weights].map(([name, { shape }]) => [name, shape]));
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
      if (!bound || !isCurrent(bound, this.#weights.get(name)!)) return false;
    }
    return true;
  }

  #current(name: string): Bound {
    const weight = this.#weights.get(name)!;
    const known = this.#bound.get(name);
    if (known && isCurrent(known, weight)) return known;
    const [own, ...added] = weight.parts;
    const values = added.length === 0 ? tensorValues(own!) : weight.values();
    const tensor = new this.#runtime.Tensor("float32", values, [...weight.shape]);
    const bound = { ids: weight.parts.map(({ dataId }) => dataId), values, tensor };
    this.#bound.set(name, bound);
    return bound;
  }
}

interface Bound {
  /** Of the parts. */
  readonly ids: readonly tf.DataId[];
  readonly values: Float32Array;
  readonly tensor: OnnxTensor;
}

function alone(variables: ReadonlyMap<string, tf.Variable>): Map<string, EffectiveWeight> {
  return new Map(
    [...variables].map(([name, variable]) => [
      name,
      { shape: variable.shape, parts: [variable], values: () => tensorValues(variable).slice() },
    ]),
  );
}

/** A new value has another id; a heap that has grown leaves arrays of no length behind. */
function isCurrent({ ids, values }: Bound, { parts }: EffectiveWeight): boolean {
  const same = parts.every(({ dataId, isDisposed }, at) => !isDisposed && dataId === ids[at]);
  return same && (values.length > 0 || parts[0]!.size === 0);
}
