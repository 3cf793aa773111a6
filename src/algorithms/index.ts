export {
  type Aggregation,
  type Algorithm,
  type AlgorithmFactory,
  type AlgorithmState,
  type ClientAlgorithm,
  type ClientTask,
  type ClientUpdate,
  EXTRA_PREFIX,
  type ScalarRange,
  type ServerAlgorithm,
  type UpdateContents,
  type WeightSource,
} from "./algorithm.js";
export { ClientMemory } from "./clientMemory.js";
export { receivedFrom } from "./extras.js";
export { checkFinite, type NonFinitePolicy } from "./finiteness.js";
export {
  averaging,
  bySamples,
  type MeanOfUpdates,
  meanOfUpdates,
  type UpdateWeight,
  uniformly,
} from "./meanOfUpdates.js";
export {
  createOrderedFold,
  type FoldedRound,
  type OrderedFold,
  type OrderedFoldOptions,
} from "./orderedFold.js";
export { algorithmCatalog, algorithms, serverCatalog } from "./registry.js";
export { sampleFault } from "./sampleBound.js";
export { type ServerStep, serverStep } from "./serverStep.js";
export type {
  DataLoaderStrategy,
  GradientRequest,
  LearningRateScheduler,
  LearningRateSchedulerStrategy,
  LossStrategy,
  ModelUpdateStrategy,
  Optimizer,
  OptimizerMemory,
  OptimizerStrategy,
  StepOutcome,
  StepRequest,
  Strategy,
  TestingStrategy,
  TrainingPlan,
  TrainingStepStrategy,
} from "./strategies.js";
export { type CheckedContents, contentsOf, layoutOfContents, readScalars } from "./updateContents.js";
