export { createTrainerHost } from "./createTrainerHost.js";
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
