import type {
  LearningRateScheduler,
  LearningRateSchedulerStrategy,
  Optimizer,
  TrainingPlan,
} from "../../algorithms/index.js";
import type { TrainingContext } from "../../context/index.js";

/** How a schedule over epochs is warmed up. */
export interface WarmUpEpochs {
  readonly warmup_epochs: number;
  readonly warmup_start_lr: number;
}

/**
 * Puts `warmup_epochs` in front of another schedule, which then begins with its own first epoch. In epoch t of w the
 * learning rate is start + (rate - start) * t / w.
 */
export class WarmUpByEpochStrategy implements LearningRateSchedulerStrategy {
  readonly #then: LearningRateSchedulerStrategy;
  readonly #options: WarmUpEpochs;

  constructor(then: LearningRateSchedulerStrategy, options: WarmUpEpochs) {
    this.#then = then;
    this.#options = options;
  }

  createScheduler(optimizer: Optimizer, context: TrainingContext, plan: TrainingPlan): LearningRateScheduler {
    const { warmup_epochs: warm, warmup_start_lr: start } = this.#options;
    const rate = optimizer.learningRate;
    let epoch = plan.epochsBefore;
    let following: LearningRateScheduler | undefined;
    const set = () => {
      if (epoch < warm) {
        optimizer.learningRate = start + ((rate - start) * epoch) / warm;
        return;
      }
      optimizer.learningRate = rate;
      const rest = { epochs: Math.max(plan.epochs - warm, 0), epochsBefore: epoch - warm };
      following = this.#then.createScheduler(optimizer, context, { ...plan, ...rest });
    };
    set();
    return {
      step(loss) {
        epoch++;
        if (following) following.step(loss);
        else set();
      },
      afterUpdate: () => following?.afterUpdate?.(),
    };
  }
}
