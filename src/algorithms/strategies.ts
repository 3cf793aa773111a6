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
  /**
   * Mean loss, a scalar. Called inside a gradient tape.
   * @param outputs of the model, a row for each label; of a language model only the rows that have one
   */
  computeLoss(outputs: tf.Tensor, labels: tf.Tensor, context: TrainingContext): tf.Scalar;
}

/** Changes variables by their gradients. Holds tensors: dispose of it after each client. */
export interface Optimizer {
  learningRate: number;
  /** Share of the last direction that is kept, where there is such a number; schedules may move it. */
  momentum?: number | undefined;
  /** One step; gradients by variable name. Does not dispose of the gradients. */
  step(variables: ReadonlyMap<string, tf.Variable>, gradients: ReadonlyMap<string, tf.Tensor>): void;
  /** Copies of what it remembers from step to step, by names of its own. Absent: it cannot be kept. */
  remembered?(): OptimizerMemory;
  /** Goes on from what an optimizer of its kind remembered. */
  recall?(memory: OptimizerMemory): void;
  dispose(): void;
}

/** What an optimizer remembers: moments as arrays, and how many steps it has made. */
export interface OptimizerMemory {
  readonly steps: number;
  readonly arrays: Weights;
}

export interface OptimizerStrategy extends Strategy {
  /** Whether it knows by itself which weights are not to decay. Default: false. */
  readonly choosesDecay?: boolean;
  createOptimizer(model: Model, context: TrainingContext): Optimizer;
  /** After every update of the weights. */
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

/** What a training step has done. */
export interface StepOutcome {
  /** Mean loss before the update. */
  readonly loss: number;
  /** What the mean is over: rows, or tokens that have a label. Default: the rows of the batch. */
  readonly weight?: number;
  /** False where gradients were gathered and no weight has changed. Default true. */
  readonly updated?: boolean;
}

export interface TrainingStepStrategy extends Strategy {
  onTrainStart?(context: TrainingContext): void;
  /** One step forward, back and update. @returns the loss before the update, or what there is to say of it */
  trainingStep(request: StepRequest): number | StepOutcome | Promise<number | StepOutcome>;
  /** Updates that an epoch of so many batches makes. Default: one for each. */
  updatesPerEpoch?(batches: number): number;
  /** After the last batch of an epoch, for steps that gather several batches. */
  finalize?(request: Omit<StepRequest, "inputs" | "labels">): void | Promise<void>;
  onTrainEnd?(context: TrainingContext): void;
}

/** How much training a schedule spans. */
export interface TrainingPlan {
  /** Epochs from its beginning to its end: those of one round, or of all with `trainer.global_lr_scheduler`. */
  readonly epochs: number;
  /** Epochs of them that lie in earlier rounds. */
  readonly epochsBefore: number;
  /** Updates of the weights in an epoch. */
  readonly updatesPerEpoch: number;
  /** Whether it goes on over rounds: `trainer.global_lr_scheduler`. Default false. */
  readonly overRounds?: boolean;
}

/** Sets the optimizer's learning rate. */
export interface LearningRateScheduler {
  /**
   * After every local epoch.
   * @param loss the epoch's mean training loss; NaN for an epoch without labels
   */
  step(loss?: number): void;
  /** After every update of the weights. */
  afterUpdate?(): void;
}

export interface LearningRateSchedulerStrategy extends Strategy {
  createScheduler(optimizer: Optimizer, context: TrainingContext, plan: TrainingPlan): LearningRateScheduler;
}

/** Gradients on their way to the optimizer. */
export interface GradientRequest {
  /** Of an update, whole: gathered over its batches, and clipped. By variable name. */
  readonly gradients: ReadonlyMap<string, tf.Tensor>;
  /** With the weights that the gradients are of. */
  readonly model: Model;
  /** With the learning rate of this very update. */
  readonly optimizer: Optimizer;
  readonly context: TrainingContext;
}

export interface ModelUpdateStrategy extends Strategy {
  /** Before the first step, with the global weights in the model. */
  onTrainStart?(model: Model, context: TrainingContext): void | Promise<void>;
  beforeStep?(model: Model, context: TrainingContext): void;
  /**
   * What goes to the optimizer in the place of the gradients, before each update whichever training step makes it.
   * Called within a `tf.tidy` scope or the step's own: what it makes is freed.
   */
  adjustGradients?(request: GradientRequest): ReadonlyMap<string, tf.Tensor>;
  afterStep?(model: Model, context: TrainingContext): void;
  onTrainEnd?(model: Model, context: TrainingContext): void | Promise<void>;
  /** Whether that weight of the model is sent; asked after training. Default: every one is. */
  travels?(name: string): boolean;
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
