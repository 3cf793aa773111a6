import { type Config, configSchema } from "../src/config/schema/config.js";

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
