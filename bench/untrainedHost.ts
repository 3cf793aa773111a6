import type { TrainerHost } from "../src/trainers/index.js";

/** A host that trains nothing. */
export const untrained: TrainerHost = {
  initialWeights: () => Promise.reject(new Error("a client makes no model")),
  train: async (task) => ({
    weights: task.weights,
    numSamples: 1,
    trainLoss: null,
    trainingTime: 0,
    scalar: null,
    state: task.state,
  }),
  test: () => Promise.reject(new Error("nothing is tested")),
  evaluate: () => Promise.reject(new Error("nothing is evaluated")),
  describe: async () => ({ backend: "none", evaluators: [] }),
  backend: async () => "none",
  close: async () => {},
};
