import { sharedRegistry } from "../base/index.js";
import type { AlgorithmFactory } from "./algorithm.js";

/** What may stand in `[algorithm] type`. */
export const algorithms = sharedRegistry<AlgorithmFactory>("algorithm", (registry) => {
  registry.register("fedavg", async () => (await import("./fedavg.js")).createFedAvg(), {
    description:
      "Federated averaging: the mean of the clients' weights, weighted by their numbers of samples.",
  });
  // It averages whatever travels: which weights do is said of the model.
  registry.register("fedavg_lora", async () => (await import("./fedavg.js")).createFedAvg(), {
    description: "Federated averaging of the adapters of [parameters.lora], by Plato's name.",
  });
});
