import type {
  LearningRateSchedulerStrategy,
  LossStrategy,
  OptimizerStrategy,
} from "../../algorithms/index.js";
import { type Registry, sharedRegistry } from "../../base/index.js";
import type { CatalogEntry } from "../../config/index.js";
import { muonOptions, nanochatScheduleOptions } from "./muonOptions.js";
import { type StrategyFactory, strategyFactory } from "./strategyFactory.js";
import {
  adamOptions,
  adamWOptions,
  constantOptions,
  cosineOptions,
  crossEntropyOptions,
  meanSquaredErrorOptions,
  sgdOptions,
  stepOptions,
} from "./strategyOptions.js";
import { warmUpFactories } from "./warmUpFactories.js";

/** What `trainer.optimizer` may name. */
// Making a strategy may load TensorFlow.js; naming one must not, so that the server can.
export const optimizers = sharedRegistry<StrategyFactory<OptimizerStrategy>>("optimizer", (registry) => {
  registry.register(
    "SGD",
    strategyFactory(
      "[parameters.optimizer] of SGD",
      sgdOptions,
      async (options) => new (await import("./sgd.js")).SgdStrategy(options),
    ),
    { description: "Stochastic gradient descent: momentum, Nesterov, weight decay" },
  );
  registry.register(
    "Adam",
    strategyFactory(
      "[parameters.optimizer] of Adam",
      adamOptions,
      async (options) => new (await import("./adam.js")).AdamStrategy(options),
    ),
    { description: "Adaptive moments; weight decay through the gradient" },
  );
  registry.register(
    "AdamW",
    strategyFactory(
      "[parameters.optimizer] of AdamW",
      adamWOptions,
      async (options) => new (await import("./adamW.js")).AdamWStrategy(options),
    ),
    { description: "Adaptive moments; weight decay apart from the gradient" },
  );
  registry.register("Muon", muon("Muon"), {
    description: "Orthogonalised momentum for the matrices of a language model's blocks, AdamW for the rest",
  });
  registry.register("nanochat", muon("nanochat"), {
    description: "The same by the name that Plato's nanochat configurations use",
  });
});

function muon(name: string): StrategyFactory<OptimizerStrategy> {
  return strategyFactory(
    `[parameters.optimizer] of ${name}`,
    muonOptions,
    async (options) => new (await import("./muon.js")).MuonStrategy(options),
  );
}

/** What `trainer.lr_scheduler` may name. */
export const schedulers = sharedRegistry<StrategyFactory<LearningRateSchedulerStrategy>>(
  "learning-rate schedule",
  (registry) => {
    registry.register(
      "ConstantLR",
      strategyFactory(
        "[parameters.learning_rate] of ConstantLR",
        constantOptions,
        async (options) => new (await import("./constantSchedule.js")).ConstantStrategy(options),
      ),
      { description: "The learning rate as it is, or times a factor for the first epochs" },
    );
    registry.register(
      "StepLR",
      strategyFactory(
        "[parameters.learning_rate] of StepLR",
        stepOptions,
        async (options) => new (await import("./stepSchedule.js")).StepStrategy(options),
      ),
      { description: "The learning rate falls by a factor every few epochs" },
    );
    registry.register(
      "CosineAnnealingLR",
      strategyFactory(
        "[parameters.learning_rate] of CosineAnnealingLR",
        cosineOptions,
        async (options, { epochs }) =>
          new (await import("./cosineSchedule.js")).CosineStrategy(options, epochs),
      ),
      { description: "The learning rate falls along half a cosine" },
    );
    for (const [name, factory, description] of warmUpFactories()) {
      registry.register(name, factory, { description });
    }
    registry.register(
      "nanochat",
      strategyFactory(
        "[parameters.learning_rate] of nanochat",
        nanochatScheduleOptions,
        async (options) => new (await import("./nanochatSchedule.js")).NanochatSchedule(options),
      ),
      {
        description: "The learning rate rises, stays, and falls, update by update; Muon's momentum with it",
      },
    );
  },
);

/** What `trainer.loss_criterion` may name. */
export const losses = sharedRegistry<StrategyFactory<LossStrategy>>("loss", (registry) => {
  registry.register(
    "CrossEntropyLoss",
    strategyFactory(
      "[parameters.loss_criterion] of CrossEntropyLoss",
      crossEntropyOptions,
      async (options) => new (await import("./crossEntropyLoss.js")).CrossEntropyLoss(options),
    ),
    { description: "Cross-entropy of class labels, from logits" },
  );
  registry.register(
    "MSELoss",
    strategyFactory(
      "[parameters.loss_criterion] of MSELoss",
      meanSquaredErrorOptions,
      async () => new (await import("./mseLoss.js")).MseLoss(),
    ),
    { description: "Mean squared error, for regression" },
  );
});

/** The registered names for the configuration's catalog. */
export function strategyCatalog(): Record<"optimizers" | "schedulers" | "losses", CatalogEntry[]> {
  return {
    optimizers: entriesOf(optimizers),
    schedulers: entriesOf(schedulers),
    losses: entriesOf(losses),
  };
}

function entriesOf<S>(registry: Registry<StrategyFactory<S>>): CatalogEntry[] {
  return registry.list().map((entry) => {
    const { options } = registry.lookup(entry.name);
    return { ...entry, ...(options && { options }) };
  });
}
