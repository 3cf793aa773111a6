import { sharedRegistry } from "../base/index.js";
import { BasicTrainer } from "./basicTrainer.js";
import { ComposableTrainer } from "./composableTrainer.js";
import type { TrainerFactory } from "./trainer.js";

/** The trainers by the name that `trainer.type` gives. */
export const trainers = sharedRegistry<TrainerFactory>("trainer", (registry) => {
  registry.register("basic", (request) => new BasicTrainer(request), {
    description: "Every strategy as the configuration says",
  });
  registry.register("composable", (request) => new ComposableTrainer(request), {
    description: "The same, and the class to extend: each of its seven strategies can be replaced from code",
  });
});
