import type {
  LearningRateScheduler,
  LearningRateSchedulerStrategy,
  Optimizer,
  TrainingPlan,
} from "../../algorithms/index.js";
import type { TrainingContext } from "../../context/index.js";
import { Muon } from "./muon.js";
import type { NanochatScheduleOptions } from "./muonOptions.js";
import { scheduleByUpdate } from "./scheduleByUpdate.js";

/**
 * nanochat's schedule, at update u of U: the learning rate is multiplied with (u + 1) / warm-up while that is below 1,
 * then with 1, and over the last `warmdown_ratio` of all updates it falls in a straight line towards
 * `final_lr_frac`, which it would reach at U. Muon's momentum rises and falls likewise, and its weight decay falls
 * along half a cosine to 0.
 */
export class NanochatSchedule implements LearningRateSchedulerStrategy {
  readonly #options: NanochatScheduleOptions;

  constructor(options: NanochatScheduleOptions) {
    this.#options = options;
  }

  createScheduler(optimizer: Optimizer, _: TrainingContext, plan: TrainingPlan): LearningRateScheduler {
    return scheduleByUpdate(optimizer, plan, (update, updates) => {
      if (optimizer instanceof Muon) {
        optimizer.momentum = momentumAt(update, updates, this.#options);
        optimizer.decayFactor = (1 + Math.cos((Math.PI * update) / Math.max(updates, 1))) / 2;
      }
      return factorAt(update, updates, this.#options);
    });
  }
}

/** What the learning rate is multiplied with. */
export function factorAt(
  update: number,
  updates: number,
  { warmup_steps, warmdown_ratio, final_lr_frac }: NanochatScheduleOptions,
): number {
  if (update < warmup_steps) return (update + 1) / warmup_steps;
  const fall = Math.round(warmdown_ratio * updates);
  if (update <= updates - fall) return 1;
  const left = (updates - update) / fall;
  return left + (1 - left) * final_lr_frac;
}

/** Muon's momentum. */
function momentumAt(update: number, updates: number, options: NanochatScheduleOptions): number {
  const { warmdown_ratio, momentum_start, momentum_peak, momentum_end, momentum_warmup_steps } = options;
  if (update < momentum_warmup_steps) {
    return between(momentum_start, momentum_peak, update / momentum_warmup_steps);
  }
  const fall = Math.round(warmdown_ratio * updates);
  const begin = updates - fall;
  return update < begin
    ? momentum_peak
    : between(momentum_peak, momentum_end, (update - begin) / Math.max(fall, 1));
}

function between(one: number, other: number, share: number): number {
  return one * (1 - share) + other * share;
}
