import type {
  LearningRateScheduler,
  LearningRateSchedulerStrategy,
  Optimizer,
  TrainingPlan,
} from "../../algorithms/index.js";
import type { TrainingContext } from "../../context/index.js";
import { scheduleByUpdate } from "./scheduleByUpdate.js";
import type { LambdaOptions } from "./scheduleOptions.js";

/**
 * What Plato makes of `LambdaLR`: the learning rate rises in a straight line from 0 over `warmup_steps`, and is
 * multiplied with `gamma` at every one of `milestone_steps`. It moves on with every update of the weights; Plato's own
 * moves on with every epoch, though its steps are counted in updates.
 */
export class LambdaStrategy implements LearningRateSchedulerStrategy {
  readonly #options: LambdaOptions;

  constructor(options: LambdaOptions) {
    this.#options = options;
  }

  createScheduler(optimizer: Optimizer, _: TrainingContext, plan: TrainingPlan): LearningRateScheduler {
    const { milestone_steps, gamma = 1, warmup_steps = "0it" } = this.#options;
    const updates = (step: string) => updatesIn(step, plan.updatesPerEpoch);
    const milestones = milestone_steps?.split(",").map(updates) ?? [];
    const warm = updates(warmup_steps);
    return scheduleByUpdate(optimizer, plan, (update) => {
      const fallen = gamma ** milestones.filter((milestone) => milestone <= update).length;
      return update < warm ? (fallen * update) / warm : fallen;
    });
  }
}

/** `"2ep10it"`: two epochs and ten updates. */
function updatesIn(step: string, updatesPerEpoch: number): number {
  const [, epochs = 0, updates = 0] = /^\s*(?:(\d+)ep)?(?:(\d+)it)?\s*$/.exec(step) ?? [];
  return Number(epochs) * updatesPerEpoch + Number(updates);
}
