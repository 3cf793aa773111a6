import { ElenchusError } from "../base/index.js";
import type { Batch } from "../data/index.js";
import type { Trainer } from "./trainer.js";

/**
 * Watches local training. The order is: run start; per epoch: epoch start; per batch: step start, step
 * end; epoch end; run end. A callback that throws ends the training.
 */
export interface TrainerCallback {
  onTrainRunStart?(trainer: Trainer): void | Promise<void>;
  /** `trainer.context.currentEpoch` counts from 1. */
  onTrainEpochStart?(trainer: Trainer): void | Promise<void>;
  /** @param step batch within the epoch, from 1 */
  onTrainStepStart?(trainer: Trainer, batch: Batch, step: number): void | Promise<void>;
  /** @param loss mean loss over the batch's rows, before the update */
  onTrainStepEnd?(trainer: Trainer, batch: Batch, loss: number, step: number): void | Promise<void>;
  onTrainEpochEnd?(trainer: Trainer): void | Promise<void>;
  onTrainRunEnd?(trainer: Trainer): void | Promise<void>;
}

/**
 * Checks a list of callbacks: each class at most once, because a second one is always a mistake (a default
 * that was added again, a list that was concatenated twice).
 * @throws NAME_TAKEN
 */
export function checkCallbacks(callbacks: readonly TrainerCallback[]): readonly TrainerCallback[] {
  const classes = new Set<unknown>();
  for (const callback of callbacks) {
    const kind = callback.constructor;
    // Plain objects with the right methods have no class to tell them apart by.
    if (kind === Object) continue;
    if (classes.has(kind)) {
      throw new ElenchusError(
        "NAME_TAKEN",
        `The trainer has a second callback of the class ${kind.name}. Each class may stand in the list once: remove one, or make a subclass.`,
      );
    }
    classes.add(kind);
  }
  return callbacks;
}
