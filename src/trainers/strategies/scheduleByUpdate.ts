import type { LearningRateScheduler, Optimizer, TrainingPlan } from "../../algorithms/index.js";

/**
 * A schedule in closed form that moves on with every update of the weights.
 * @param factorAt what the learning rate is multiplied with at an update, counted from 0, of so many
 */
export function scheduleByUpdate(
  optimizer: Optimizer,
  { epochs, epochsBefore, updatesPerEpoch }: TrainingPlan,
  factorAt: (update: number, updates: number) => number,
): LearningRateScheduler {
  const startRate = optimizer.learningRate;
  const updates = epochs * updatesPerEpoch;
  let update = epochsBefore * updatesPerEpoch;
  const set = () => {
    optimizer.learningRate = startRate * factorAt(update, updates);
  };
  set();
  return {
    step() {},
    afterUpdate() {
      update++;
      set();
    },
  };
}
