import type {
  DataLoaderStrategy,
  LearningRateSchedulerStrategy,
  LossStrategy,
  ModelUpdateStrategy,
  OptimizerStrategy,
  TestingStrategy,
  TrainingStepStrategy,
} from "../../algorithms/index.js";
import { type Config, testMetricOf } from "../../config/index.js";
import { augmentationOf } from "../../data/index.js";
import { losses } from "./losses.js";
import { optimizers } from "./optimizers.js";
import { schedulers } from "./schedulers.js";

/** The seven strategies a trainer is assembled from. */
export interface StrategySet {
  loss: LossStrategy;
  optimizer: OptimizerStrategy;
  trainingStep: TrainingStepStrategy;
  scheduler: LearningRateSchedulerStrategy;
  modelUpdate: ModelUpdateStrategy;
  dataLoader: DataLoaderStrategy;
  testing: TestingStrategy;
}

/**
 * The strategies that `[trainer]` and `[parameters]` ask for. Testing gives accuracy, and the mean squared
 * error where the loss is `MSELoss` or a sum that begins with it.
 * @throws NAME_UNKNOWN for a name that nobody registered, CONFIG_INVALID for its parameters
 */
export async function defaultStrategies({
  trainer,
  parameters,
  data,
}: Pick<Config, "trainer" | "parameters"> & { readonly data?: Config["data"] }): Promise<StrategySet> {
  const facts = { epochs: trainer.epochs * (trainer.global_lr_scheduler ? trainer.rounds : 1) };
  const { DefaultTrainingStep } = await import("./defaultTrainingStep.js");
  const { NoModelUpdate } = await import("./noModelUpdate.js");
  const { ShuffledLoader } = await import("./shuffledLoader.js");
  return {
    loss: await losses.lookup(trainer.loss_criterion)(parameters.loss_criterion, facts),
    optimizer: await optimizers.lookup(trainer.optimizer)(parameters.optimizer, facts),
    trainingStep: new DefaultTrainingStep(trainer.random_seed, {
      accumulationSteps: trainer.gradient_accumulation_steps,
      clipNorm: trainer.clip_grad_norm,
      recompute: trainer.gradient_checkpointing,
    }),
    scheduler: await schedulers.lookup(trainer.lr_scheduler ?? "ConstantLR")(
      trainer.lr_scheduler === undefined ? {} : parameters.learning_rate,
      facts,
    ),
    modelUpdate: new NoModelUpdate(),
    dataLoader: new ShuffledLoader(trainer.random_seed, data && augmentationOf(data)),
    testing: await testingFor(trainer.loss_criterion, parameters.loss_criterion),
  };
}

async function testingFor(
  loss: string,
  parameters: Readonly<Record<string, unknown>>,
): Promise<TestingStrategy> {
  if (testMetricOf(loss, parameters) === "mse") return new (await import("./mseTesting.js")).MseTesting();
  return new (await import("./accuracyTesting.js")).AccuracyTesting();
}
