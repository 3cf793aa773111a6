export { BasicTrainer } from "./basicTrainer.js";
export { ComposableTrainer, type ComposableTrainerOptions } from "./composableTrainer.js";
export { createTrainerHost } from "./createTrainerHost.js";
export { LanguageTrainer } from "./languageTrainer.js";
export { RunHistory } from "./runHistory.js";
export { losses, optimizers, type StrategySet, schedulers, strategyCatalog } from "./strategies/index.js";
export type {
  EvaluatorChoice,
  StepProgress,
  TestListener,
  TestReport,
  TestRequest,
  Trainer,
  TrainerFactory,
  TrainerRequest,
  TrainReport,
  TrainRequest,
} from "./trainer.js";
export type { TrainerCallback } from "./trainerCallback.js";
export type {
  HostDescription,
  HostProgress,
  ScalarMetric,
  TestOutcome,
  TestTask,
  TrainerHost,
  TrainOutcome,
  TrainTask,
} from "./trainerHost.js";
export type { HostDeadlines, TrainerHostRequest } from "./trainerHostRequest.js";
export { languageTrainer, trainerCatalog, trainerEvaluations, trainers } from "./trainerRegistry.js";
