import type { Algorithm } from "./algorithm.js";
import { averaging } from "./meanOfUpdates.js";

/**
 * Federated averaging (McMahan, Moore, Ramage, Hampson and Agüera y Arcas, "Communication-Efficient Learning
 * of Deep Networks from Decentralized Data", AISTATS 2017, algorithm 1):
 *
 *     w(t+1) = sum over k of n(k) / n * w(k, t+1),   n = sum over k of n(k)
 *
 * over the clients k that reported, with n(k) the number of samples that client k trained on. Clients train
 * as usual, so the client half is empty.
 */
export function createFedAvg(): Algorithm {
  return { name: "fedavg", server: { begin: (globalWeights) => averaging(globalWeights) }, client: {} };
}
