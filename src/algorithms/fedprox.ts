import { z } from "zod";
import { parseOptions } from "../base/index.js";
import type { AlgorithmFactory } from "./algorithm.js";
import { averaging } from "./meanOfUpdates.js";
import { ProximalTerm } from "./proximalTerm.js";

const options = z.object({
  fedprox_mu: z.number().nonnegative().default(0.01).meta({
    description:
      "Strength of the pull to the global weights; 0 is FedAvg. `clients.proximal_term_penalty_constant` takes its place.",
  }),
});

const otherKeys = {
  clients: {
    proximal_term_penalty_constant: z.number().nonnegative().optional().meta({
      description: "Of the algorithm `fedprox`: `algorithm.fedprox_mu` by another name of Plato's.",
    }),
  },
};

/**
 * FedProx (Li, Sahu, Zaheer, Sanjabi, Talwalkar and Smith, "Federated Optimization in Heterogeneous Networks", MLSys
 * 2020, algorithm 2). A client k minimises its loss F(k) with a pull to the global weights w(t):
 *
 *     w(k, t+1) ~ argmin over w of F(k)(w) + mu / 2 * ||w - w(t)||^2,
 *
 * by local steps along grad F(k)(w) + mu * (w - w(t)). The server averages as FedAvg does.
 */
export const fedProx: AlgorithmFactory = Object.assign(
  ((table, config) => {
    const { fedprox_mu } = parseOptions(options, table, "[algorithm] of fedprox");
    const given = (config?.clients as { proximal_term_penalty_constant?: number } | undefined)
      ?.proximal_term_penalty_constant;
    const mu = given ?? fedprox_mu;
    return {
      name: "fedprox",
      server: { begin: (globalWeights) => averaging(globalWeights) },
      client: { modelUpdate: () => new ProximalTerm(mu) },
    };
  }) satisfies AlgorithmFactory,
  { options, otherKeys },
);
