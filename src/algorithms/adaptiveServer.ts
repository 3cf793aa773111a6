import { z } from "zod";
import { parseOptions } from "../base/index.js";
import type { AlgorithmFactory } from "./algorithm.js";
import { serverStep } from "./serverStep.js";

/** What tells the three apart. */
export interface AdaptiveServer {
  readonly name: string;
  readonly defaults: {
    readonly server_learning_rate: number;
    readonly beta_1: number;
    readonly beta_2?: number;
  };
  /** The new second moment. @param square of the mean change */
  readonly moment: (before: number, square: number, beta2: number) => number;
}

/**
 * The adaptive server optimizers of Reddi, Charles, Zaheer, Garrett, Rush, Konečný, Kumar and McMahan ("Adaptive
 * Federated Optimization", ICLR 2021, algorithm 2). With d the mean change of the clients' weights, by element:
 *
 *     m(t+1) = beta1 * m(t) + (1 - beta1) * d
 *     v(t+1) by each one's own rule, from v(0) = tau^2
 *     w(t+1) = w(t) + rate * m(t+1) / (sqrt(v(t+1)) + tau)
 *
 * without correction of the moments' beginnings, as there. The change is the mean by samples; the clients train as
 * usual, for which the paper takes SGD.
 */
export function adaptiveServer({ name, defaults, moment }: AdaptiveServer): AlgorithmFactory {
  const decay = (given: number) => z.number().min(0).lt(1).default(given);
  const options = z.object({
    server_learning_rate: z.number().positive().default(defaults.server_learning_rate).meta({
      description: "Factor of the server's step.",
    }),
    beta_1: decay(defaults.beta_1).meta({
      description: "What of the first moment stays from round to round.",
    }),
    ...(defaults.beta_2 !== undefined && {
      beta_2: decay(defaults.beta_2).meta({
        description: "What of the second moment stays from round to round.",
      }),
    }),
    tau: z.number().positive().default(1e-3).meta({
      description: "How far the step adapts: the smaller, the more. Added to the root of the second moment.",
    }),
  });
  const factory: AlgorithmFactory = (table) => {
    const parsed = parseOptions(options, table, `[algorithm] of ${name}`);
    const { server_learning_rate: rate, beta_1: beta1, tau } = parsed;
    const beta2 = (parsed as { beta_2?: number }).beta_2 ?? 0;
    return {
      name,
      server: serverStep({
        slots: { mean: 0, square: tau ** 2 },
        step(x, change, { mean, square }, index) {
          mean[index] = beta1 * mean[index]! + (1 - beta1) * change;
          square[index] = moment(square[index]!, change ** 2, beta2);
          return x + (rate * mean[index]!) / (Math.sqrt(square[index]!) + tau);
        },
      }),
      client: {},
    };
  };
  return Object.assign(factory, { options });
}
