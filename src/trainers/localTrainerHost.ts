import { ElenchusError } from "../base/index.js";
import type { Weights } from "../weights/index.js";
import type { HostDescription, TestOutcome, TrainerHost, TrainOutcome } from "./trainerHost.js";
import type { TrainerHostRequest } from "./trainerHostRequest.js";

export class LocalTrainerHost implements TrainerHost {
  constructor(readonly request: TrainerHostRequest) {}
  async initialWeights(): Promise<Weights> {
    throw new ElenchusError("INTERNAL", "not written yet");
  }
  async train(): Promise<TrainOutcome> {
    throw new ElenchusError("INTERNAL", "not written yet");
  }
  async test(): Promise<TestOutcome> {
    throw new ElenchusError("INTERNAL", "not written yet");
  }
  async evaluate(): Promise<TestOutcome> {
    throw new ElenchusError("INTERNAL", "not written yet");
  }
  async describe(): Promise<HostDescription> {
    throw new ElenchusError("INTERNAL", "not written yet");
  }
  async backend(): Promise<string> {
    throw new ElenchusError("INTERNAL", "not written yet");
  }
  async close(): Promise<void> {}
}
