import type { TrainerHost } from "./trainerHost.js";
import type { TrainerHostRequest } from "./trainerHostRequest.js";

/**
 * Makes a trainer host. TensorFlow.js is loaded only where the work is done: never by a host whose work is
 * in a worker.
 */
export async function createTrainerHost(request: TrainerHostRequest): Promise<TrainerHost> {
  if (request.where === "worker") {
    const { WorkerTrainerHost } = await import("./workerTrainerHost.js");
    return new WorkerTrainerHost(request);
  }
  const { LocalTrainerHost } = await import("./localTrainerHost.js");
  return new LocalTrainerHost(request);
}
