import { type Config, configSchema } from "../src/config/schema/config.js";
import type { TrainerHost } from "../src/trainers/index.js";

export const PARAMETERS = 25_000_000;
export const TOKEN = "bench";

/** One round of so many logical clients, without a test. */
export function memoryConfig(members: number): Config {
  return configSchema.parse({
    clients: { total_clients: members, per_round: members },
    server: { port: 0, do_test: false, payload_timeout: 600 },
    data: { datasource: "digits", sampler: "iid" },
    trainer: {
      type: "basic",
      rounds: 1,
      epochs: 1,
      batch_size: 1,
      optimizer: "SGD",
      model_name: "none",
      max_concurrency: 2,
    },
    algorithm: { type: "fedavg" },
  });
}

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
