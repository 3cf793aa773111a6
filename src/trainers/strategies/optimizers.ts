import type { ZodType, z } from "zod";
import type { OptimizerStrategy } from "../../algorithms/index.js";
import { sharedRegistry } from "../../base/index.js";
import { muonOptions } from "./muonOptions.js";
import {
  adadeltaOptions,
  adagradOptions,
  adamOptions,
  adamWOptions,
  nAdamOptions,
  rAdamOptions,
  rmsPropOptions,
  sgdOptions,
} from "./optimizerOptions.js";
import { type StrategyFactory, strategyFactory } from "./strategyFactory.js";

/** What `trainer.optimizer` may name. */
// Making a strategy may load TensorFlow.js; naming one must not, so that the server can.
export const optimizers = sharedRegistry<StrategyFactory<OptimizerStrategy>>("optimizer", (registry) => {
  const add = <O extends ZodType>(
    name: string,
    description: string,
    options: O,
    make: (options: z.output<O>) => Promise<OptimizerStrategy>,
  ) => {
    const factory = strategyFactory(`[parameters.optimizer] of ${name}`, options, make);
    registry.register(name, factory, { description });
  };
  add(
    "SGD",
    "Stochastic gradient descent: momentum, Nesterov, weight decay",
    sgdOptions,
    async (options) => new (await import("./sgd.js")).SgdStrategy(options),
  );
  add(
    "Adam",
    "Adaptive moments; weight decay through the gradient",
    adamOptions,
    async (options) => new (await import("./adam.js")).AdamStrategy(options),
  );
  add(
    "AdamW",
    "Adaptive moments; weight decay apart from the gradient",
    adamWOptions,
    async (options) => new (await import("./adamW.js")).AdamWStrategy(options),
  );
  add(
    "NAdam",
    "Adam with Nesterov momentum",
    nAdamOptions,
    async (options) => new (await import("./nAdam.js")).NAdamStrategy(options),
  );
  add(
    "RAdam",
    "Adam that begins as momentum, until the variance is known",
    rAdamOptions,
    async (options) => new (await import("./rAdam.js")).RAdamStrategy(options),
  );
  add(
    "RMSprop",
    "Gradients divided by their running root mean square; momentum",
    rmsPropOptions,
    async (options) => new (await import("./rmsProp.js")).RmsPropStrategy(options),
  );
  add(
    "Adagrad",
    "Gradients divided by the root of the sum of all their squares",
    adagradOptions,
    async (options) => new (await import("./adagrad.js")).AdagradStrategy(options),
  );
  add(
    "Adadelta",
    "Steps as large as steps have been, by running mean squares",
    adadeltaOptions,
    async (options) => new (await import("./adadelta.js")).AdadeltaStrategy(options),
  );
  const muon = async (options: z.output<typeof muonOptions>) =>
    new (await import("./muon.js")).MuonStrategy(options);
  add(
    "Muon",
    "Orthogonalised momentum for the matrices of a language model's blocks, AdamW for the rest",
    muonOptions,
    muon,
  );
  add("nanochat", "The same by the name that Plato's nanochat configurations use", muonOptions, muon);
});
