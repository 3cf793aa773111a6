import type {
  LearningRateScheduler,
  LearningRateSchedulerStrategy,
  Optimizer,
  TrainingPlan,
} from "../../algorithms/index.js";
import type { TrainingContext } from "../../context/index.js";
import { scheduleByEpoch } from "./scheduleByEpoch.js";
import type { StepOptions } from "./scheduleOptions.js";

/** The learning rate times `gamma` to the power of the number of `step_size` epochs gone by. */
export class StepStrategy implements LearningRateSchedulerStrategy {
  readonly #options: StepOptions;

  constructor(options: StepOptions) {
    this.#options = options;
  }

  createScheduler(optimizer: Optimizer, _: TrainingContext, plan: TrainingPlan): LearningRateScheduler {
    const { step_size, gamma } = this.#options;
    return scheduleByEpoch(optimizer, plan, (rate, epoch) => rate * gamma ** Math.floor(epoch / step_size));
  }
}
