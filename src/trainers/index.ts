export type {
  HostProgress,
  ScalarMetric,
  TestOutcome,
  TestTask,
  TrainerHost,
  TrainOutcome,
  TrainTask,
} from "./trainerHost.js";
