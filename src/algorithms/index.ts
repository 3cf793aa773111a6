export type {
  Aggregation,
  Algorithm,
  AlgorithmFactory,
  ClientUpdate,
  ServerAlgorithm,
  WeightSource,
} from "./algorithm.js";
export { checkFinite, type NonFinitePolicy } from "./finiteness.js";
export {
  createOrderedFold,
  type FoldedRound,
  type OrderedFold,
  type OrderedFoldOptions,
} from "./orderedFold.js";
export { algorithms } from "./registry.js";
export type {
  DataLoaderStrategy,
  LearningRateScheduler,
  LearningRateSchedulerStrategy,
  LossStrategy,
  ModelUpdateStrategy,
  Optimizer,
  OptimizerStrategy,
  StepOutcome,
  StepRequest,
  Strategy,
  TestingStrategy,
  TrainingPlan,
  TrainingStepStrategy,
} from "./strategies.js";
