import { z } from "zod";
import type { AlgorithmFactory } from "./algorithm.js";
import { bySamples, uniformly } from "./meanOfUpdates.js";
import { serverStep } from "./serverStep.js";

const outer = z.strictObject({
  outer_optimizer: z.enum(["nesterov", "sgdm", "sgd"]).default("nesterov"),
  outer_learning_rate: z.number().positive().default(0.7),
  outer_momentum: z.number().min(0).lt(1).default(0.9),
  aggregation_weighting: z.enum(["uniform", "num_samples"]).default("uniform"),
  apply_outer_optimizer_to: z.enum(["parameters", "all_floating"]).default("parameters"),
});

const otherKeys = {
  server: {
    diloco: outer.prefault({}).meta({
      description:
        "Of the algorithm `diloco`: `outer_optimizer` nesterov, sgdm or sgd; `outer_learning_rate` 0.7; `outer_momentum` 0.9; `aggregation_weighting` uniform or num_samples; `apply_outer_optimizer_to` parameters, or all_floating, running statistics included.",
    }),
  },
};

/**
 * DiLoCo (Douillard, Feng, Rusu, Chhaparia, Donchev, Kuncoro, Ranzato, Szlam and Shen, "DiLoCo: Distributed Low-Communication
 * Training of Language Models", 2023, arXiv:2311.08105, algorithm 1). Clients make many inner steps, with AdamW in the
 * paper; the server takes g = w(t) - mean of w(k) for the gradient of an outer optimizer, in PyTorch's form:
 *
 *     v = momentum * v + g,   w(t+1) = w(t) - rate * (g + momentum * v)     nesterov
 *                             w(t+1) = w(t) - rate * v                      sgdm
 *                             w(t+1) = w(t) - rate * g                      sgd
 *
 * Settings stand in `[server.diloco]`, by Plato's names.
 */
export const diLoCo: AlgorithmFactory = Object.assign(
  ((_table, config) => {
    const settings = outer.parse((config?.server as { diloco?: unknown } | undefined)?.diloco ?? {});
    const { outer_optimizer: optimizer, outer_learning_rate: rate, outer_momentum: momentum } = settings;
    return {
      name: "diloco",
      server: serverStep({
        slots: { velocity: 0 },
        weightOf: settings.aggregation_weighting === "uniform" ? uniformly : bySamples,
        statistics: settings.apply_outer_optimizer_to === "all_floating",
        step(x, change, { velocity }, index) {
          if (optimizer === "sgd") return x + rate * change;
          velocity[index] = momentum * velocity[index]! + change;
          return x + rate * (optimizer === "sgdm" ? velocity[index]! : change + momentum * velocity[index]!);
        },
      }),
      client: {},
    };
  }) satisfies AlgorithmFactory,
  { otherKeys },
);
