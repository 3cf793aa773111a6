import type * as tensorflow from "@tensorflow/tfjs-core";
import type { Model } from "../models/index.js";
import type { WeightArray, Weights } from "../weights/index.js";

/** The tensor library; client halves load it when they train, so that a server that imports them does not. */
export type Tensorflow = typeof import("../compute/index.js").tf;

/** Loads the tensor library of this process. */
export async function loadTensorflow(): Promise<Tensorflow> {
  return (await import("../compute/index.js")).tf;
}

/** Tensors by the name of a model's variable, kept until they are disposed of. */
export class KeptTensors {
  readonly #tensors = new Map<string, tensorflow.Tensor>();

  get(name: string): tensorflow.Tensor | undefined {
    return this.#tensors.get(name);
  }

  /** Keeps the values that the model's variables have now. */
  keepVariables(tf: Tensorflow, model: Model): void {
    this.dispose();
    for (const [name, variable] of model.variables) {
      // A clone shares the numbers; an assignment gives the variable others.
      this.#tensors.set(
        name,
        tf.tidy(() => tf.keep(tf.clone<tensorflow.Tensor>(variable))),
      );
    }
  }

  /** Keeps the arrays of the model's variables; those without one have none. */
  keepArrays(tf: Tensorflow, model: Model, arrays: Weights): void {
    this.dispose();
    for (const name of model.variables.keys()) {
      const array = arrays.get(name);
      if (array === undefined) continue;
      // The cpu back end keeps the array it is given.
      const values = (array.data as Float32Array).slice();
      this.#tensors.set(
        name,
        tf.tidy(() => tf.keep(tf.tensor(values, [...array.shape], "float32"))),
      );
    }
  }

  dispose(): void {
    for (const tensor of this.#tensors.values()) tensor.dispose();
    this.#tensors.clear();
  }
}

/** Copies of a model's trainable weights, as arrays. */
export function variableArrays({ variables }: Model): Map<string, WeightArray> {
  const arrays = new Map<string, WeightArray>();
  for (const [name, variable] of variables) {
    const data = new Float32Array(variable.dataSync<"float32">());
    arrays.set(name, { dtype: "float32", shape: [...variable.shape], data });
  }
  return arrays;
}
