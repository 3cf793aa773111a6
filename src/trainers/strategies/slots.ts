import * as tf from "@tensorflow/tfjs-core";
import type { WeightArray, Weights } from "../../weights/index.js";

/** What an optimizer remembers: one tensor per variable and kind, kept between steps until `dispose`. */
export class Slots {
  readonly #tensors = new Map<string, tf.Tensor>();

  get(kind: string, variable: string): tf.Tensor | undefined {
    return this.#tensors.get(slot(kind, variable));
  }

  /** Keeps `value` beyond the tidy scope it was made in and frees what it replaces. */
  set(kind: string, variable: string, value: tf.Tensor): void {
    this.#tensors.get(slot(kind, variable))?.dispose();
    this.#tensors.set(slot(kind, variable), tf.keep(value));
  }

  /** Copies of all, by kind and variable. */
  arrays(): Weights {
    const arrays = new Map<string, WeightArray>();
    for (const [name, tensor] of this.#tensors) {
      const data = new Float32Array(tensor.dataSync<"float32">());
      arrays.set(name, { dtype: "float32", shape: [...tensor.shape], data });
    }
    return arrays;
  }

  /** Puts copies of those in the place of all. */
  restore(arrays: Weights): void {
    this.dispose();
    for (const [name, { shape, data }] of arrays) {
      const values = (data as Float32Array).slice();
      this.#tensors.set(
        name,
        tf.tidy(() => tf.keep(tf.tensor(values, [...shape], "float32"))),
      );
    }
  }

  dispose(): void {
    for (const tensor of this.#tensors.values()) tensor.dispose();
    this.#tensors.clear();
  }
}

function slot(kind: string, variable: string): string {
  return `${kind} ${variable}`;
}
