import { createRegistry } from "../base/index.js";
import { BasicTrainer } from "./basicTrainer.js";
import { ComposableTrainer } from "./composableTrainer.js";
import type { TrainerFactory } from "./trainer.js";

/** The trainers by the name that `trainer.type` gives. */
export const trainers = createRegistry<TrainerFactory>("trainer");

trainers.register("basic", (request) => new BasicTrainer(request), {
  description: "Every strategy as the configuration says",
});
trainers.register("composable", (request) => new ComposableTrainer(request), {
  description: "The same, and the class to extend: each of its seven strategies can be replaced from code",
});
