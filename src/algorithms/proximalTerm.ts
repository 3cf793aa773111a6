import type * as tensorflow from "@tensorflow/tfjs-core";
import type { Model } from "../models/index.js";
import { KeptTensors, loadTensorflow, type Tensorflow } from "./modelCopy.js";
import type { GradientRequest, ModelUpdateStrategy } from "./strategies.js";

/**
 * Pulls local weights w towards those that training began with: the objective gets strength / 2 * ||w - w0||^2, so the
 * gradient gets strength * (w - w0). The loss that is reported stays that of the data.
 */
export class ProximalTerm implements ModelUpdateStrategy {
  readonly #strength: number;
  readonly #anchor = new KeptTensors();
  #tf: Tensorflow | undefined;

  /** @param strength from 0, which pulls at nothing */
  constructor(strength: number) {
    this.#strength = strength;
  }

  async onTrainStart(model: Model): Promise<void> {
    this.#tf = await loadTensorflow();
    this.#anchor.keepVariables(this.#tf, model);
  }

  adjustGradients({ gradients, model }: GradientRequest): ReadonlyMap<string, tensorflow.Tensor> {
    const tf = this.#tf;
    if (tf === undefined || this.#strength === 0) return gradients;
    const adjusted = new Map<string, tensorflow.Tensor>();
    for (const [name, gradient] of gradients) {
      const away = tf.sub(model.variables.get(name)!, this.#anchor.get(name)!);
      adjusted.set(name, tf.add(gradient, tf.mul(away, this.#strength)));
    }
    return adjusted;
  }

  onTrainEnd(): void {
    this.teardown();
  }

  teardown(): void {
    this.#anchor.dispose();
  }
}
