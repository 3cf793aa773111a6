import * as tf from "@tensorflow/tfjs-core";

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

  dispose(): void {
    for (const tensor of this.#tensors.values()) tensor.dispose();
    this.#tensors.clear();
  }
}

function slot(kind: string, variable: string): string {
  return `${kind} ${variable}`;
}
