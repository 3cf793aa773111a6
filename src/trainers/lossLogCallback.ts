import type { Logger } from "../base/index.js";
import type { Batch } from "../data/index.js";
import type { Trainer } from "./trainer.js";
import type { TrainerCallback } from "./trainerCallback.js";

/** Batches between two lines. */
const EVERY = 10;

/** Logs the loss every ten batches, at level debug. In every trainer by default. */
export class LossLogCallback implements TrainerCallback {
  readonly #logger: Logger;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  onTrainStepEnd({ context }: Trainer, _batch: Batch, loss: number, step: number): void {
    if (step % EVERY !== 0) return;
    this.#logger.debug(
      `client ${context.clientId}, round ${context.currentRound}, epoch ${context.currentEpoch}, batch ${step}: loss ${loss}`,
    );
  }
}
