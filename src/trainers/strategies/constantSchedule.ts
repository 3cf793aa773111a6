import type {
  LearningRateScheduler,
  LearningRateSchedulerStrategy,
  Optimizer,
} from "../../algorithms/index.js";
import { scheduleByEpoch } from "./scheduleByEpoch.js";
import type { ConstantOptions } from "./strategyOptions.js";

/** The learning rate times `factor` in the first `total_iters` epochs, then the learning rate itself. */
export class ConstantStrategy implements LearningRateSchedulerStrategy {
  readonly #options: ConstantOptions;

  constructor(options: ConstantOptions) {
    this.#options = options;
  }

  createScheduler(optimizer: Optimizer): LearningRateScheduler {
    const { factor, total_iters } = this.#options;
    return scheduleByEpoch(optimizer, (rate, epoch) => (epoch < total_iters ? rate * factor : rate));
  }
}
