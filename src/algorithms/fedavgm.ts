import { z } from "zod";
import { parseOptions } from "../base/index.js";
import type { AlgorithmFactory } from "./algorithm.js";
import { serverStep } from "./serverStep.js";

const options = z.object({
  server_learning_rate: z.number().positive().default(1).meta({
    description: "Factor of the server's step.",
  }),
  server_momentum: z.number().min(0).lt(1).default(0.9).meta({
    description: "What of the last round's velocity stays.",
  }),
});

/**
 * FedAvg with server momentum (Hsu, Qi and Brown, "Measuring the Effects of Non-Identical Data Distribution for
 * Federated Visual Classification", 2019, arXiv:1909.06335). With d the mean change of the clients' weights:
 *
 *     v(t+1) = momentum * v(t) + d(t),   w(t+1) = w(t) + rate * v(t+1)
 *
 * Clients train as usual. Momentum 0 and rate 1 is FedAvg.
 */
export const fedAvgM: AlgorithmFactory = Object.assign(
  ((table) => {
    const { server_learning_rate: rate, server_momentum: momentum } = parseOptions(
      options,
      table,
      "[algorithm] of fedavgm",
    );
    return {
      name: "fedavgm",
      server: serverStep({
        slots: { velocity: 0 },
        step(x, change, { velocity }, index) {
          velocity[index] = momentum * velocity[index]! + change;
          return x + rate * velocity[index]!;
        },
      }),
      client: {},
    };
  }) satisfies AlgorithmFactory,
  { options },
);
