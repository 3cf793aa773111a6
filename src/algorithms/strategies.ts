import type * as tf from "@tensorflow/tfjs-core";
import type { TrainingContext } from "../context/index.js";
import type { Batch, Dataset } from "../data/index.js";
import type { Model } from "../models/index.js";
import type { Weights } from "../weights/index.js";

/** What every strategy may do around a run. */
export interface Strategy {
  /** Before the strategy is first used. */
  setup?(context: TrainingContext): void | Promise<void>;
  /** When the trainer is disposed of; frees what the strategy holds. */
  teardown?(context: TrainingContext): void | Promise<void>;
}

export interface LossStrategy extends Strategy {
  onTrainStart?(context: TrainingContext): void;
  /** Mean loss over the rows, a scalar. Called inside a gradient tape. */
  computeLoss(outputs: tf.Tensor, labels: tf.Tensor, context: TrainingContext): tf.Scalar;
}

/** Changes variables by their gradients. Holds tensors: dispose of it after each client. */
export interface Optimizer {
  learningRate: number;
  /** One step; gradients by variable name. Does not dispose of the gradients. */
  step(variables: ReadonlyMap<string, tf.Variable>, gradients: ReadonlyMap<string, tf.Tensor>): void;
  dispose(): void;
}

export interface OptimizerStrategy extends Strategy {
  createOptimizer(model: Model, context: TrainingContext): Optimizer;
  onOptimizerStep?(optimizer: Optimizer, context: TrainingContext): void;
}

/** What one training step works on. The trainer disposes of `inputs` and `labels`. */
export interface StepRequest {
  readonly model: Model;
  readonly optimizer: Optimizer;
  readonly inputs: tf.Tensor;
  readonly labels: tf.Tensor;
  readonly computeLoss: (outputs: tf.Tensor, labels: tf.Tensor) => tf.Scalar;
  readonly context: TrainingContext;
}

export interface TrainingStepStrategy extends Strategy {
  onTrainStart?(context: TrainingContext): void;
  /** One step forward, back and update. @returns the loss before the update */
  trainingStep(request: StepRequest): number | Promise<number>;
  /** After the last batch of an epoch, for steps that gather several batches. */
  finalize?(request: Omit<StepRequest, "inputs" | "labels">): void | Promise<void>;
  onTrainEnd?(context: TrainingContext): void;
}

/** Sets the optimizer's learning rate; stepped once per local epoch. */
export interface LearningRateScheduler {
  step(): void;
}

export interface LearningRateSchedulerStrategy extends Strategy {
  createScheduler(optimizer: Optimizer, context: TrainingContext): LearningRateScheduler;
}

export interface ModelUpdateStrategy extends Strategy {
  onTrainStart?(model: Model, context: TrainingContext): void | Promise<void>;
  beforeStep?(model: Model, context: TrainingContext): void;
  afterStep?(model: Model, context: TrainingContext): void;
  onTrainEnd?(model: Model, context: TrainingContext): void | Promise<void>;
  /** More weights to send beside the model's, by name. */
  getUpdatePayload?(context: TrainingContext): Weights;
}

export interface DataLoaderStrategy extends Strategy {
  /**
   * The batches of one epoch.
   * @param indices the client's rows in `trainset`
   */
  createTrainLoader(
    trainset: Dataset,
    indices: Int32Array,
    batchSize: number,
    context: TrainingContext,
  ): Iterable<Batch>;
}

export interface TestingStrategy extends Strategy {
  /** Name of the scalar, "accuracy" by default. */
  readonly metricName: string;
  readonly higherIsBetter: boolean;
  /**
   * The one scalar of a test.
   * @param config the `[trainer]` table
   * @param indices rows of `testset` to use; undefined: all
   */
  testModel(
    model: Model,
    config: Readonly<Record<string, unknown>>,
    testset: Dataset,
    indices: Int32Array | undefined,
    context: TrainingContext,
  ): number | Promise<number>;
}
