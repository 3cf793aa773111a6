import * as tf from "@tensorflow/tfjs-core";
import type { StepRequest, TrainingStepStrategy } from "../../algorithms/index.js";
import { createRandom, type Random } from "../../base/index.js";
import type { TrainingContext } from "../../context/index.js";

/** Forward, back, update; every tensor of the step is freed before it returns. */
export class DefaultTrainingStep implements TrainingStepStrategy {
  readonly #seed: number;
  #random: Random | undefined;

  /** @param seed `trainer.random_seed`; what dropout leaves out follows from it, the logical client and the round */
  constructor(seed = 1) {
    this.#seed = seed;
  }

  onTrainStart({ clientId, currentRound }: TrainingContext): void {
    this.#random = createRandom(this.#seed, "dropout", clientId, currentRound);
  }

  trainingStep({ model, optimizer, inputs, labels, computeLoss }: StepRequest): number {
    return tf.tidy(() => {
      const { value, grads } = tf.variableGrads(
        () => computeLoss(model.forward(inputs, { training: true, random: this.#random }), labels),
        [...model.variables.values()],
      );
      // The tape knows variables by their own names, which count up within a process.
      const gradients = new Map<string, tf.Tensor>();
      for (const [weight, variable] of model.variables) {
        const gradient = grads[variable.name];
        if (gradient) gradients.set(weight, gradient);
      }
      optimizer.step(model.variables, gradients);
      return value.dataSync()[0]!;
    });
  }
}
