import { redact } from "../config/index.js";
import type { TrainerHost } from "./trainerHost.js";
import type { TrainerHostRequest } from "./trainerHostRequest.js";

/**
 * Makes a trainer host. What runs in it, trainers, strategies and evaluators, is a user's code and gets a
 * configuration without `server.token`: what it prints or stores of it holds no secret. TensorFlow.js is loaded only where the work is done: never by a host whose work is
 * in a worker.
 */
export async function createTrainerHost(given: TrainerHostRequest): Promise<TrainerHost> {
  const request = { ...given, config: redact(given.config) };
  if (request.where === "worker") {
    const { WorkerTrainerHost } = await import("./workerTrainerHost.js");
    return new WorkerTrainerHost(request);
  }
  const { LocalTrainerHost } = await import("./localTrainerHost.js");
  return new LocalTrainerHost(request);
}
