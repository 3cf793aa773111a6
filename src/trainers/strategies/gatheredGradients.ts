import * as tf from "@tensorflow/tfjs-core";

type Gradients = ReadonlyMap<string, tf.Tensor>;

/**
 * Gradients of several batches as those of one: each batch's mean counts by what it is over. A mean of the means would
 * give the labels of a batch with few of them more weight than those of a batch with many.
 */
export class GatheredGradients {
  readonly #sums = new Map<string, tf.Tensor>();
  #weight = 0;

  /** What has been gathered so far: rows, or tokens. */
  get weight(): number {
    return this.#weight;
  }

  /** @param gradients of a mean loss over `weight` labels; they stay their giver's */
  add(gradients: Gradients, weight: number): void {
    for (const [name, gradient] of gradients) {
      const before = this.#sums.get(name);
      const sum = tf.tidy(() => {
        const own = tf.mul(gradient, weight);
        return before ? tf.add(before, own) : own;
      });
      this.#sums.set(name, tf.keep(sum));
      before?.dispose();
    }
    this.#weight += weight;
  }

  /** Gradients of the mean over all that was gathered, which begins anew. */
  take(): Map<string, tf.Tensor> {
    const means = new Map<string, tf.Tensor>();
    for (const [name, sum] of this.#sums) means.set(name, tf.div(sum, this.#weight));
    this.clear();
    return means;
  }

  clear(): void {
    for (const sum of this.#sums.values()) sum.dispose();
    this.#sums.clear();
    this.#weight = 0;
  }
}
