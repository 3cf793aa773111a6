import type {
  LearningRateScheduler,
  LearningRateSchedulerStrategy,
  Optimizer,
  TrainingPlan,
} from "../../algorithms/index.js";
import type { TrainingContext } from "../../context/index.js";
import { scheduleByUpdate } from "./scheduleByUpdate.js";
import type { CosineDecayOptions, WarmUpOptions } from "./scheduleOptions.js";

/** What becomes of the learning rate once it is warm: a factor by the share of the way gone, 0 to 1. */
export type Decline = (share: number) => number;

/** Stays as it is. */
export const level: Decline = () => 1;

/** Falls in a straight line to 0. */
export const straight: Decline = (share) => Math.max(0, 1 - share);

/**
 * Falls along cosines to `min_lr_rate`: half a one by default, as `num_cycles` = 0.5 says
 * (Loshchilov and Hutter 2017, arXiv:1608.03983).
 */
export function cosine({ num_cycles, min_lr_rate }: CosineDecayOptions): Decline {
  return (share) => {
    const factor = (1 + Math.cos(2 * Math.PI * num_cycles * share)) / 2;
    return Math.max(0, factor * (1 - min_lr_rate) + min_lr_rate);
  };
}

/**
 * Rises in a straight line from 0 and then declines, update by update, as Hugging Face's schedules do: update u of w
 * to warm up has the rate times u / w, so the first of all has none; from there on the decline is that at
 * (u - w) / (updates - w).
 */
export class WarmUpStrategy implements LearningRateSchedulerStrategy {
  readonly #options: WarmUpOptions;
  readonly #decline: Decline;

  constructor(options: WarmUpOptions, decline: Decline) {
    this.#options = options;
    this.#decline = decline;
  }

  createScheduler(optimizer: Optimizer, _: TrainingContext, plan: TrainingPlan): LearningRateScheduler {
    const { warmup_steps, warmup_ratio } = this.#options;
    return scheduleByUpdate(optimizer, plan, (update, updates) => {
      const warm = warmup_steps > 0 ? warmup_steps : Math.ceil(updates * warmup_ratio);
      if (update < warm) return update / warm;
      return this.#decline((update - warm) / Math.max(1, updates - warm));
    });
  }
}
