import { adaptiveServer } from "./adaptiveServer.js";
import type { AlgorithmFactory } from "./algorithm.js";

/** FedAdagrad: `adaptiveServer` with v(t+1) = v(t) + d^2, and in the paper beta1 = 0. */
export const fedAdagrad: AlgorithmFactory = adaptiveServer({
  name: "fedadagrad",
  defaults: { server_learning_rate: 0.1, beta_1: 0 },
  moment: (before, square) => before + square,
});
