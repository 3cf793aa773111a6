import { z } from "zod";
import type { LossStrategy } from "../../algorithms/index.js";
import { nearest, sharedRegistry } from "../../base/index.js";
import {
  binaryCrossEntropyOptions,
  crossEntropyOptions,
  l2Options,
  meanSquaredErrorOptions,
  negativeLogLikelihoodOptions,
} from "./lossOptions.js";
import { type StrategyFactory, strategyFactory } from "./strategyFactory.js";

const where = (name: string) => `[parameters.loss_criterion] of ${name}`;

/** What `trainer.loss_criterion` may name. */
export const losses = sharedRegistry<StrategyFactory<LossStrategy>>("loss", (registry) => {
  registry.register(
    "CrossEntropyLoss",
    strategyFactory(
      where("CrossEntropyLoss"),
      crossEntropyOptions,
      async (options) => new (await import("./crossEntropyLoss.js")).CrossEntropyLoss(options),
    ),
    { description: "Cross-entropy of class labels, from logits" },
  );
  registry.register(
    "MSELoss",
    strategyFactory(
      where("MSELoss"),
      meanSquaredErrorOptions,
      async () => new (await import("./mseLoss.js")).MseLoss(),
    ),
    { description: "Mean squared error, for regression" },
  );
  registry.register(
    "BCEWithLogitsLoss",
    strategyFactory(
      where("BCEWithLogitsLoss"),
      binaryCrossEntropyOptions,
      async (options) => new (await import("./binaryCrossEntropyLoss.js")).BinaryCrossEntropyLoss(options),
    ),
    { description: "Binary cross-entropy of every output, from logits" },
  );
  registry.register(
    "NLLLoss",
    strategyFactory(
      where("NLLLoss"),
      negativeLogLikelihoodOptions,
      async (options) =>
        new (await import("./negativeLogLikelihoodLoss.js")).NegativeLogLikelihoodLoss(options),
    ),
    { description: "Cross-entropy of class labels, from log-probabilities" },
  );
  registry.register(
    "L2Regularization",
    strategyFactory(
      where("L2Regularization"),
      l2Options,
      async (options) => new (await import("./l2Regularization.js")).L2Regularization(options),
    ),
    { description: "Sum of the squares of all trained weights, as a term of CompositeLoss" },
  );
  registry.register("CompositeLoss", composite(), { description: "Weighted sum of other losses" });
});

function composite(): StrategyFactory<LossStrategy> {
  return strategyFactory(where("CompositeLoss"), compositeOptions(), async ({ losses: terms }, facts) => {
    const { CompositeLoss } = await import("./compositeLoss.js");
    const made = terms.map(async ({ type, weight, parameters }) => ({
      loss: await losses.lookup(type)(parameters, facts),
      weight,
    }));
    return new CompositeLoss(await Promise.all(made));
  });
}

/** `[parameters.loss_criterion]` of `CompositeLoss`. */
function compositeOptions() {
  const term = z
    .strictObject({
      type: z.string().min(1).meta({ description: "Registered loss." }),
      weight: z.number().default(1).meta({ description: "Multiplies it." }),
      parameters: z.record(z.string(), z.unknown()).default({}).meta({ description: "Its options." }),
    })
    .superRefine(({ type, parameters }, context) => {
      if (!losses.has(type)) {
        const names = losses.registeredNames();
        const near = nearest(type, names);
        const meant = near === undefined ? "" : `; did you mean "${near}"?`;
        const message = `expected one of the losses ${names.join(", ")}${meant}`;
        context.addIssue({ code: "custom", path: ["type"], message });
        return;
      }
      const parsed = losses.lookup(type).options?.safeParse(parameters);
      for (const { path, message } of parsed?.error?.issues ?? []) {
        context.addIssue({ code: "custom", path: ["parameters", ...path], message: `${type}: ${message}` });
      }
    });
  return z.strictObject({
    losses: z
      .array(term)
      .min(1)
      .meta({ description: "The terms: a table each, with `type`, `weight` (1) and `parameters`." }),
  });
}
