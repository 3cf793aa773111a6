import type {
  LearningRateScheduler,
  LearningRateSchedulerStrategy,
  Optimizer,
} from "../../algorithms/index.js";
import { scheduleByEpoch } from "./scheduleByEpoch.js";
import type { StepOptions } from "./strategyOptions.js";

/** The learning rate times `gamma` to the power of the number of `step_size` epochs gone by. */
export class StepStrategy implements LearningRateSchedulerStrategy {
  readonly #options: StepOptions;

  constructor(options: StepOptions) {
    this.#options = options;
  }

  createScheduler(optimizer: Optimizer): LearningRateScheduler {
    const { step_size, gamma } = this.#options;
    return scheduleByEpoch(optimizer, (rate, epoch) => rate * gamma ** Math.floor(epoch / step_size));
  }
}
