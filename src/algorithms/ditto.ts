import { z } from "zod";
import { parseOptions } from "../base/index.js";
import type { TrainingContext } from "../context/index.js";
import type { Model } from "../models/index.js";
import type { AlgorithmFactory } from "./algorithm.js";
import { ClientMemory } from "./clientMemory.js";
import { averaging, replaced } from "./meanOfUpdates.js";
import { ProximalTerm } from "./proximalTerm.js";

const options = z.object({
  ditto_lambda: z.number().nonnegative().default(0.1).meta({
    description: "Strength of the pull of a client's own model to the global one; 0 is local training alone.",
  }),
  personalization_epochs: z.int().positive().optional().meta({
    description: "Epochs of a client's own model in a round; `trainer.epochs` when absent.",
  }),
});

/**
 * Ditto (Li, Hu, Beirami and Smith, "Ditto: Fair and Robust Federated Learning Through Personalization", ICML 2021,
 * algorithm 1). The global weights w are those of FedAvg. Beside them each client k keeps weights v(k) of its own, which
 * begin as the first w that it gets, and in each of its rounds makes steps on them:
 *
 *     v(k) <- v(k) - rate * (grad F(k)(v(k)) + lambda * (v(k) - w(t)))
 *
 * with w(t) as it was received. They are not sent; the client's test is about them.
 */
export const ditto: AlgorithmFactory = Object.assign(
  ((table) => {
    const parsed = parseOptions(options, table, "[algorithm] of ditto");
    return {
      name: "ditto",
      server: { begin: (globalWeights) => averaging(globalWeights) },
      client: {
        personalUpdate: () => new OwnModel(parsed.ditto_lambda),
        personalEpochs: parsed.personalization_epochs,
        keepsState: true,
      },
    };
  }) satisfies AlgorithmFactory,
  { options },
);

/** Around the training of a client's own model: pulled to the global weights, started from the client's. */
class OwnModel extends ProximalTerm {
  readonly #memory = new ClientMemory("ditto");

  override async onTrainStart(model: Model, context?: TrainingContext): Promise<void> {
    await super.onTrainStart(model);
    const weights = model.weights();
    const own = this.#memory.recall(context!, weights);
    if (own.size > 0) model.loadWeights(replaced(weights, own));
  }

  override onTrainEnd(model?: Model, context?: TrainingContext): void {
    this.#memory.keep(context!, model!.weights());
    super.onTrainEnd();
  }
}
