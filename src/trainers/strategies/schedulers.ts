import type { LearningRateSchedulerStrategy } from "../../algorithms/index.js";
import { sharedRegistry } from "../../base/index.js";
import { epochFactories } from "./epochFactories.js";
import { nanochatScheduleOptions } from "./muonOptions.js";
import { lambdaOptions } from "./scheduleOptions.js";
import { type StrategyFactory, strategyFactory } from "./strategyFactory.js";
import { warmUpFactories } from "./warmUpFactories.js";

/** What `trainer.lr_scheduler` may name. */
export const schedulers = sharedRegistry<StrategyFactory<LearningRateSchedulerStrategy>>(
  "learning-rate schedule",
  (registry) => {
    for (const [name, factory, description] of [...epochFactories(), ...warmUpFactories()]) {
      registry.register(name, factory, { description });
    }
    registry.register(
      "LambdaLR",
      strategyFactory(
        "[parameters.learning_rate] of LambdaLR",
        lambdaOptions,
        async (options) => new (await import("./lambdaSchedule.js")).LambdaStrategy(options),
      ),
      {
        description:
          "The learning rate may rise, and falls by a factor at given epochs or updates, as in Plato",
      },
    );
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
