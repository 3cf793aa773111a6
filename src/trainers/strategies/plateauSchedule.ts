import type {
  LearningRateScheduler,
  LearningRateSchedulerStrategy,
  Optimizer,
  TrainingPlan,
} from "../../algorithms/index.js";
import type { TrainingContext } from "../../context/index.js";
import type { PlateauOptions } from "./scheduleOptions.js";

/** Where in `context.state` a schedule over rounds leaves off. */
const KEY = "learning_rate_plateau";

interface Progress {
  readonly rate: number;
  /** Null before the first epoch. */
  readonly best: number | null;
  /** Epochs in a row without an improvement. */
  readonly bad: number;
  /** Epochs still not counted. */
  readonly cooldown: number;
}

/**
 * `ReduceLROnPlateau` as PyTorch defines it: after more than `patience` epochs in a row in which the mean training loss
 * has not come below the best one, the learning rate is multiplied with `factor`. Over rounds each logical client has
 * losses, and so a learning rate, of its own.
 */
export class PlateauStrategy implements LearningRateSchedulerStrategy {
  readonly #options: PlateauOptions;

  constructor(options: PlateauOptions) {
    this.#options = options;
  }

  createScheduler(
    optimizer: Optimizer,
    { state }: TrainingContext,
    { overRounds = false }: TrainingPlan,
  ): LearningRateScheduler {
    const start: Progress = { rate: optimizer.learningRate, best: null, bad: 0, cooldown: 0 };
    let progress = (overRounds ? (state.get(KEY) as Progress | undefined) : undefined) ?? start;
    optimizer.learningRate = progress.rate;
    return {
      step: (loss = Number.NaN) => {
        progress = afterEpoch(progress, loss, this.#options);
        optimizer.learningRate = progress.rate;
        if (overRounds) state.set(KEY, progress);
      },
    };
  }
}

/** A loss that is no number is no improvement. */
function afterEpoch(before: Progress, loss: number, options: PlateauOptions): Progress {
  const improved = isBetter(loss, before.best, options);
  const best = improved ? loss : before.best;
  const cooldown = Math.max(before.cooldown - 1, 0);
  const bad = improved || before.cooldown > 0 ? 0 : before.bad + 1;
  if (bad <= options.patience) return { rate: before.rate, best, bad, cooldown };
  const lower = Math.max(before.rate * options.factor, options.min_lr);
  const rate = before.rate - lower > options.eps ? lower : before.rate;
  return { rate, best, bad: 0, cooldown: options.cooldown };
}

function isBetter(
  loss: number,
  best: number | null,
  { mode, threshold, threshold_mode }: PlateauOptions,
): boolean {
  if (Number.isNaN(loss)) return false;
  if (best === null) return true;
  if (threshold_mode === "abs") return mode === "min" ? loss < best - threshold : loss > best + threshold;
  return mode === "min" ? loss < best * (1 - threshold) : loss > best * (1 + threshold);
}
