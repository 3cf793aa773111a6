import type { LearningRateSchedulerStrategy } from "../../algorithms/index.js";
import { cosineDecayOptions, levelOptions, warmUpOptions } from "./scheduleOptions.js";
import { type StrategyFactory, strategyFactory } from "./strategyFactory.js";

type Schedule = StrategyFactory<LearningRateSchedulerStrategy>;

/** Schedules that move on with every update, as Hugging Face names them. Naming one loads no TensorFlow.js. */
export function warmUpFactories(): [name: string, factory: Schedule, description: string][] {
  const where = (name: string) => `[parameters.learning_rate] of ${name}`;
  const made = async () => import("./warmUpSchedule.js");
  return [
    [
      "constant",
      strategyFactory(where("constant"), levelOptions, async () => {
        const { level, WarmUpStrategy } = await made();
        return new WarmUpStrategy({ warmup_steps: 0, warmup_ratio: 0 }, level);
      }),
      "The learning rate as it is",
    ],
    [
      "constant_with_warmup",
      strategyFactory(where("constant_with_warmup"), warmUpOptions, async (options) => {
        const { level, WarmUpStrategy } = await made();
        return new WarmUpStrategy(options, level);
      }),
      "The learning rate rises from 0 and stays",
    ],
    [
      "linear",
      strategyFactory(where("linear"), warmUpOptions, async (options) => {
        const { straight, WarmUpStrategy } = await made();
        return new WarmUpStrategy(options, straight);
      }),
      "The learning rate may rise, and falls in a straight line to 0, update by update",
    ],
    [
      "cosine",
      strategyFactory(where("cosine"), cosineDecayOptions, async (options) => {
        const { cosine, WarmUpStrategy } = await made();
        return new WarmUpStrategy(options, cosine(options));
      }),
      "The learning rate may rise, and falls along a cosine, update by update",
    ],
  ];
}
