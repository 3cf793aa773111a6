import { adaptiveServer } from "./adaptiveServer.js";
import type { AlgorithmFactory } from "./algorithm.js";

/** FedAdam: `adaptiveServer` with v(t+1) = beta2 * v(t) + (1 - beta2) * d^2. */
export const fedAdam: AlgorithmFactory = adaptiveServer({
  name: "fedadam",
  defaults: { server_learning_rate: 0.01, beta_1: 0.9, beta_2: 0.99 },
  moment: (before, square, beta2) => beta2 * before + (1 - beta2) * square,
});
