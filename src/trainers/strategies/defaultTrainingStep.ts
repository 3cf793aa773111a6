import * as tf from "@tensorflow/tfjs-core";
import type { StepOutcome, StepRequest, TrainingStepStrategy } from "../../algorithms/index.js";
import { createRandom, type Random } from "../../base/index.js";
import type { TrainingContext } from "../../context/index.js";
import { clipByNorm } from "./clipByNorm.js";
import { GatheredGradients } from "./gatheredGradients.js";
import { labelledOutputs } from "./labelledOutputs.js";

/** How steps are made. */
export interface StepSettings {
  /** Batches whose gradients make one update. Default 1. An epoch's last batches may be fewer. */
  readonly accumulationSteps?: number;
  /** The most that the norm of all gradients may be. Default: anything. */
  readonly clipNorm?: number | undefined;
  /** Less memory for more time, where the model can do so: see `ForwardOptions`. Default false. */
  readonly recompute?: boolean;
}

/**
 * Forward, back, update. Losses are means over labels, one for each row or for each token that has one, and so is the
 * gradient of an update, over however many batches it was gathered. A batch without labels changes nothing.
 */
export class DefaultTrainingStep implements TrainingStepStrategy {
  readonly #seed: number;
  readonly #settings: StepSettings & { readonly accumulationSteps: number };
  readonly #gathered = new GatheredGradients();
  #batches = 0;
  #random: Random | undefined;

  /** @param seed `trainer.random_seed`; what dropout leaves out follows from it, the logical client and the round */
  constructor(seed = 1, { accumulationSteps = 1, clipNorm, recompute = false }: StepSettings = {}) {
    this.#seed = seed;
    this.#settings = { accumulationSteps, clipNorm, recompute };
  }

  onTrainStart({ clientId, currentRound }: TrainingContext): void {
    this.#random = createRandom(this.#seed, "dropout", clientId, currentRound);
    this.teardown();
  }

  /** Frees what a training that was stopped has gathered. */
  teardown(): void {
    this.#gathered.clear();
    this.#batches = 0;
  }

  updatesPerEpoch(batches: number): number {
    return Math.ceil(batches / this.#settings.accumulationSteps);
  }

  trainingStep(request: StepRequest): StepOutcome {
    const last = request.context.state.get("is_last_batch") === true;
    return tf.tidy(() => {
      const { loss, count, gradients } = this.#gradients(request);
      const single = this.#settings.accumulationSteps === 1;
      if (single) {
        if (count > 0) this.#update(request, gradients);
        return { loss, weight: count, updated: count > 0 };
      }
      this.#gathered.add(gradients, count);
      this.#batches++;
      const complete = this.#batches === this.#settings.accumulationSteps || last;
      const updated = complete && this.#gathered.weight > 0;
      if (updated) this.#update(request, this.#gathered.take());
      if (complete) this.#batches = 0;
      return { loss, weight: count, updated };
    });
  }

  #gradients({ model, inputs, labels, computeLoss }: StepRequest) {
    const gradients = new Map<string, tf.Tensor>();
    const read = labelledOutputs(model, inputs, labels);
    if (read.count === 0) return { loss: 0, count: 0, gradients };
    const { recompute } = this.#settings;
    const options = { training: true, random: this.#random, recompute };
    const { value, grads } = tf.variableGrads(
      () => computeLoss(read.outputs(options), read.labels),
      [...model.variables.values()],
    );
    // The tape knows variables by their own names, which count up within a process.
    for (const [weight, variable] of model.variables) {
      const gradient = grads[variable.name];
      if (gradient) gradients.set(weight, gradient);
    }
    return { loss: value.dataSync()[0]!, count: read.count, gradients };
  }

  #update({ model, optimizer }: StepRequest, gradients: ReadonlyMap<string, tf.Tensor>): void {
    const { clipNorm } = this.#settings;
    optimizer.step(model.variables, clipNorm === undefined ? gradients : clipByNorm(gradients, clipNorm));
  }
}
