import type { ZodType, z } from "zod";
import type { LearningRateSchedulerStrategy } from "../../algorithms/index.js";
import {
  constantOptions,
  cosineOptions,
  cyclicOptions,
  exponentialOptions,
  linearOptions,
  multiStepOptions,
  plateauOptions,
  polynomialOptions,
  stepOptions,
  warmRestartsOptions,
} from "./scheduleOptions.js";
import { type StrategyFactory, type StrategyFacts, strategyFactory } from "./strategyFactory.js";
import type { WarmUpEpochs } from "./warmUpByEpoch.js";

type Schedule = StrategyFactory<LearningRateSchedulerStrategy>;

/** Schedules that move on with every epoch, as PyTorch names them. Naming one loads no TensorFlow.js. */
export function epochFactories(): [name: string, factory: Schedule, description: string][] {
  const formulas = async () => import("./epochFormulas.js");
  const byFormula = async () => (await import("./epochSchedule.js")).EpochStrategy;
  return [
    [
      "ConstantLR",
      warmed("ConstantLR", constantOptions, async (options) => {
        return new (await import("./constantSchedule.js")).ConstantStrategy(options);
      }),
      "The learning rate as it is, or times a factor for the first epochs",
    ],
    [
      "StepLR",
      warmed("StepLR", stepOptions, async (options) => {
        return new (await import("./stepSchedule.js")).StepStrategy(options);
      }),
      "The learning rate falls by a factor every few epochs",
    ],
    [
      "MultiStepLR",
      warmed("MultiStepLR", multiStepOptions, async (options) => {
        return new (await byFormula())((await formulas()).multiStep(options));
      }),
      "The learning rate falls by a factor at given epochs",
    ],
    [
      "ExponentialLR",
      warmed("ExponentialLR", exponentialOptions, async (options) => {
        return new (await byFormula())((await formulas()).exponential(options));
      }),
      "The learning rate falls by a factor after every epoch",
    ],
    [
      "LinearLR",
      warmed("LinearLR", linearOptions, async (options) => {
        return new (await byFormula())((await formulas()).linear(options));
      }),
      "The learning rate goes in a straight line from one factor to another",
    ],
    [
      "PolynomialLR",
      warmed("PolynomialLR", polynomialOptions, async (options) => {
        return new (await byFormula())((await formulas()).polynomial(options));
      }),
      "The learning rate falls to 0 along a power of the epochs left",
    ],
    [
      "CosineAnnealingLR",
      warmed("CosineAnnealingLR", cosineOptions, async (options, { epochs }) => {
        const { CosineStrategy } = await import("./cosineSchedule.js");
        return new CosineStrategy(options, Math.max(epochs - options.warmup_epochs, 1));
      }),
      "The learning rate falls along half a cosine",
    ],
    [
      "CosineAnnealingWarmRestarts",
      warmed("CosineAnnealingWarmRestarts", warmRestartsOptions, async (options) => {
        return new (await byFormula())((await formulas()).warmRestarts(options));
      }),
      "The same, again and again from the top, in spans that may grow",
    ],
    [
      "CyclicLR",
      warmed("CyclicLR", cyclicOptions, async (options) => {
        return new (await import("./cyclicSchedule.js")).CyclicStrategy(options);
      }),
      "The learning rate rises and falls between two values, momentum the other way",
    ],
    [
      "ReduceLROnPlateau",
      warmed("ReduceLROnPlateau", plateauOptions, async (options) => {
        return new (await import("./plateauSchedule.js")).PlateauStrategy(options);
      }),
      "The learning rate falls by a factor when the training loss no longer does",
    ],
  ];
}

/** A factory whose schedule has the warm-up that its options ask for in front. */
function warmed<O extends ZodType<WarmUpEpochs>>(
  name: string,
  options: O,
  make: (options: z.output<O>, facts: StrategyFacts) => Promise<LearningRateSchedulerStrategy>,
): Schedule {
  return strategyFactory(`[parameters.learning_rate] of ${name}`, options, async (given, facts) => {
    const schedule = await make(given, facts);
    if (given.warmup_epochs === 0) return schedule;
    return new (await import("./warmUpByEpoch.js")).WarmUpByEpochStrategy(schedule, given);
  });
}
