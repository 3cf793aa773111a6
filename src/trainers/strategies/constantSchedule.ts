import type {
  LearningRateScheduler,
  LearningRateSchedulerStrategy,
  Optimizer,
  TrainingPlan,
} from "../../algorithms/index.js";
import type { TrainingContext } from "../../context/index.js";
import { scheduleByEpoch } from "./scheduleByEpoch.js";
import type { ConstantOptions } from "./scheduleOptions.js";

/** The learning rate times `factor` in the first `total_iters` epochs, then the learning rate itself. */
export class ConstantStrategy implements LearningRateSchedulerStrategy {
  readonly #options: ConstantOptions;

  constructor(options: ConstantOptions) {
    this.#options = options;
  }

  createScheduler(optimizer: Optimizer, _: TrainingContext, plan: TrainingPlan): LearningRateScheduler {
    const { factor, total_iters } = this.#options;
    return scheduleByEpoch(optimizer, plan, (rate, epoch) => (epoch < total_iters ? rate * factor : rate));
  }
}
