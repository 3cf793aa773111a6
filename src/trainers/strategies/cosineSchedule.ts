import type {
  LearningRateScheduler,
  LearningRateSchedulerStrategy,
  Optimizer,
  TrainingPlan,
} from "../../algorithms/index.js";
import type { TrainingContext } from "../../context/index.js";
import { scheduleByEpoch } from "./scheduleByEpoch.js";
import type { CosineOptions } from "./scheduleOptions.js";

/**
 * From the learning rate down to `eta_min` along half a cosine in `T_max` epochs, and up again after that
 * (Loshchilov and Hutter 2017, arXiv:1608.03983, without restarts):
 * eta_min + (rate - eta_min) * (1 + cos(pi * epoch / T_max)) / 2.
 */
export class CosineStrategy implements LearningRateSchedulerStrategy {
  readonly #options: CosineOptions;
  readonly #epochs: number;

  /** @param epochs what `T_max` is when it is not given */
  constructor(options: CosineOptions, epochs: number) {
    this.#options = options;
    this.#epochs = epochs;
  }

  createScheduler(optimizer: Optimizer, _: TrainingContext, plan: TrainingPlan): LearningRateScheduler {
    const { T_max = this.#epochs, eta_min } = this.#options;
    return scheduleByEpoch(
      optimizer,
      plan,
      (rate, epoch) => eta_min + ((rate - eta_min) * (1 + Math.cos((Math.PI * epoch) / T_max))) / 2,
    );
  }
}
