import type {
  LearningRateScheduler,
  LearningRateSchedulerStrategy,
  Optimizer,
  TrainingPlan,
} from "../../algorithms/index.js";
import type { TrainingContext } from "../../context/index.js";
import type { RateAt } from "./epochFormulas.js";
import { scheduleByEpoch } from "./scheduleByEpoch.js";

/** A schedule that is a formula of the epoch. */
export class EpochStrategy implements LearningRateSchedulerStrategy {
  readonly #rateAt: RateAt;

  constructor(rateAt: RateAt) {
    this.#rateAt = rateAt;
  }

  createScheduler(optimizer: Optimizer, _: TrainingContext, plan: TrainingPlan): LearningRateScheduler {
    return scheduleByEpoch(optimizer, plan, this.#rateAt);
  }
}
