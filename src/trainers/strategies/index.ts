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
import { losses, optimizers, schedulers, strategyFactory } from "./strategyRegistries.js";

export { defaultStrategies, type StrategySet } from "./defaultStrategies.js";
export {
  losses,
  optimizers,
  type StrategyFactory,
  type StrategyFacts,
  schedulers,
  strategyCatalog,
  strategyFactory,
} from "./strategyRegistries.js";

// Making a strategy may load TensorFlow.js; naming one must not, so that the server can.
optimizers.register(
  "SGD",
  strategyFactory(
    "[parameters.optimizer] of SGD",
    sgdOptions,
    async (options) => new (await import("./sgd.js")).SgdStrategy(options),
  ),
  { description: "Stochastic gradient descent: momentum, Nesterov, weight decay" },
);
optimizers.register(
  "Adam",
  strategyFactory(
    "[parameters.optimizer] of Adam",
    adamOptions,
    async (options) => new (await import("./adam.js")).AdamStrategy(options),
  ),
  { description: "Adaptive moments; weight decay through the gradient" },
);
optimizers.register(
  "AdamW",
  strategyFactory(
    "[parameters.optimizer] of AdamW",
    adamWOptions,
    async (options) => new (await import("./adamW.js")).AdamWStrategy(options),
  ),
  { description: "Adaptive moments; weight decay apart from the gradient" },
);

schedulers.register(
  "ConstantLR",
  strategyFactory(
    "[parameters.learning_rate] of ConstantLR",
    constantOptions,
    async (options) => new (await import("./constantSchedule.js")).ConstantStrategy(options),
  ),
  { description: "The learning rate as it is, or times a factor for the first epochs" },
);
schedulers.register(
  "StepLR",
  strategyFactory(
    "[parameters.learning_rate] of StepLR",
    stepOptions,
    async (options) => new (await import("./stepSchedule.js")).StepStrategy(options),
  ),
  { description: "The learning rate falls by a factor every few epochs" },
);
schedulers.register(
  "CosineAnnealingLR",
  strategyFactory(
    "[parameters.learning_rate] of CosineAnnealingLR",
    cosineOptions,
    async (options, { epochs }) => new (await import("./cosineSchedule.js")).CosineStrategy(options, epochs),
  ),
  { description: "The learning rate falls along half a cosine" },
);

losses.register(
  "CrossEntropyLoss",
  strategyFactory(
    "[parameters.loss_criterion] of CrossEntropyLoss",
    crossEntropyOptions,
    async (options) => new (await import("./crossEntropyLoss.js")).CrossEntropyLoss(options),
  ),
  { description: "Cross-entropy of class labels, from logits" },
);
losses.register(
  "MSELoss",
  strategyFactory(
    "[parameters.loss_criterion] of MSELoss",
    meanSquaredErrorOptions,
    async () => new (await import("./mseLoss.js")).MseLoss(),
  ),
  { description: "Mean squared error, for regression" },
);
