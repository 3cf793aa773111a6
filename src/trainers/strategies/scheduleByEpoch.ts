import type { LearningRateScheduler, Optimizer, TrainingPlan } from "../../algorithms/index.js";

/**
 * A schedule in closed form. It sets the rate of the first epoch at once, and that of the next one at each
 * step, always from the rate the optimizer had at the start, so that no rounding adds up.
 * @param rateAt the learning rate of an epoch, counted from 0
 */
export function scheduleByEpoch(
  optimizer: Optimizer,
  { epochsBefore }: Pick<TrainingPlan, "epochsBefore">,
  rateAt: (startRate: number, epoch: number) => number,
): LearningRateScheduler {
  const startRate = optimizer.learningRate;
  let epoch = epochsBefore;
  optimizer.learningRate = rateAt(startRate, epoch);
  return {
    step() {
      epoch++;
      optimizer.learningRate = rateAt(startRate, epoch);
    },
  };
}
