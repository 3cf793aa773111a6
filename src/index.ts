export type {
  Aggregation,
  Algorithm,
  AlgorithmFactory,
  ClientUpdate,
  DataLoaderStrategy,
  LearningRateScheduler,
  LearningRateSchedulerStrategy,
  LossStrategy,
  ModelUpdateStrategy,
  Optimizer,
  OptimizerStrategy,
  ServerAlgorithm,
  StepRequest,
  Strategy,
  TestingStrategy,
  TrainingStepStrategy,
  WeightSource,
} from "./algorithms/index.js";
export { algorithms } from "./algorithms/index.js";
export {
  createRandom,
  createRegistry,
  ElenchusError,
  type ErrorCode,
  type Random,
  type Registry,
} from "./base/index.js";
export { type RunDocument, type RunOptions, run } from "./cli/index.js";
export type { Config } from "./config/index.js";
export { TrainingContext, type TrainingContextInit } from "./context/index.js";
export {
  ArrayDataset,
  type ArrayDatasetInit,
  type Batch,
  type Dataset,
  type DatasetRequest,
  type Datasource,
  type DatasourceFactory,
  type DatasourceRequest,
  datasources,
  type LoadedDataset,
  loadDataset,
  NO_LABEL,
  type OwnedRow,
  type Partition,
  type RowGroups,
  type Sampler,
  type SamplerRequest,
  samplers,
  TextDataset,
  type TextDatasetInit,
  type TokenRow,
} from "./data/index.js";
export {
  ClassificationEvaluator,
  type ConfiguredEvaluation,
  type Evaluated,
  type EvaluatingTrainer,
  type EvaluationInput,
  type EvaluationOutcome,
  EvaluationPending,
  EvaluationResult,
  type EvaluationResultInit,
  EvaluationSkipped,
  type EvaluationStatus,
  Evaluator,
  type EvaluatorConfig,
  RegressionEvaluator,
  registry,
  runConfiguredEvaluation,
} from "./evaluators/index.js";
export { type Model, type ModelFactory, type ModelRequest, models } from "./models/index.js";
export { createRecord } from "./results/index.js";
export {
  BasicTrainer,
  ComposableTrainer,
  type ComposableTrainerOptions,
  losses,
  optimizers,
  RunHistory,
  schedulers,
  type Trainer,
  type TrainerCallback,
  type TrainerFactory,
  type TrainerRequest,
  trainers,
} from "./trainers/index.js";
export type { WeightArray, Weights } from "./weights/index.js";
