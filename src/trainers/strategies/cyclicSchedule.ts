import type {
  LearningRateScheduler,
  LearningRateSchedulerStrategy,
  Optimizer,
  TrainingPlan,
} from "../../algorithms/index.js";
import { ElenchusError } from "../../base/index.js";
import type { TrainingContext } from "../../context/index.js";
import type { CyclicOptions } from "./scheduleOptions.js";

/**
 * `CyclicLR` (Smith 2017, arXiv:1506.01186) as PyTorch defines it, over epochs: the learning rate goes from `base_lr` to
 * `max_lr` and back in straight lines, over and over, and momentum the other way.
 */
export class CyclicStrategy implements LearningRateSchedulerStrategy {
  readonly #options: CyclicOptions;

  constructor(options: CyclicOptions) {
    this.#options = options;
  }

  /** @throws CAPABILITY_MISSING where momentum is to cycle and the optimizer has none */
  createScheduler(optimizer: Optimizer, _: TrainingContext, plan: TrainingPlan): LearningRateScheduler {
    const { base_lr, max_lr, cycle_momentum, base_momentum, max_momentum } = this.#options;
    if (cycle_momentum && optimizer.momentum === undefined) {
      throw new ElenchusError(
        "CAPABILITY_MISSING",
        "CyclicLR moves momentum too, but this optimizer has none. Set parameters.learning_rate.cycle_momentum = false.",
      );
    }
    let epoch = plan.epochsBefore;
    const set = () => {
      const height = heightAt(epoch, this.#options);
      optimizer.learningRate = base_lr + (max_lr - base_lr) * height;
      if (cycle_momentum) optimizer.momentum = max_momentum - (max_momentum - base_momentum) * height;
    };
    set();
    return {
      step() {
        epoch++;
        set();
      },
    };
  }
}

/** How far up the learning rate is in an epoch, counted from 0: 0 at the base. */
function heightAt(epoch: number, { step_size_up, step_size_down, mode, gamma }: CyclicOptions): number {
  const span = step_size_up + (step_size_down ?? step_size_up);
  const cycle = Math.floor(epoch / span);
  const within = epoch - cycle * span;
  const height = within <= step_size_up ? within / step_size_up : (span - within) / (span - step_size_up);
  if (mode === "triangular2") return height / 2 ** cycle;
  return mode === "exp_range" ? height * gamma ** epoch : height;
}
