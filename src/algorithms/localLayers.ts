import { ElenchusError } from "../base/index.js";
import type { TrainingContext } from "../context/index.js";
import type { Model } from "../models/index.js";
import type { WeightArray } from "../weights/index.js";
import type { Algorithm } from "./algorithm.js";
import { ClientMemory } from "./clientMemory.js";
import { averaging, replaced } from "./meanOfUpdates.js";
import type { ModelUpdateStrategy } from "./strategies.js";

/** Which of a model's weights stay with each client. */
export interface LocalLayers {
  /** The algorithm's registered name. */
  readonly name: string;
  /**
   * Chooses among the names of a model's weights.
   * @throws CONFIG_CONFLICT where the model has none of that kind
   */
  readonly localOf: (names: readonly string[]) => ReadonlySet<string>;
}

/**
 * An algorithm that averages some weights of a model, by samples, while every client keeps the others to itself: they
 * are not sent, and each client finds its own again in its next round. Its test is about both together. The server's
 * model keeps the values that it began with in those places; a client begins with them.
 */
export function withLocalLayers({ name, localOf }: LocalLayers): Algorithm {
  const traveling = (names: readonly string[]) => {
    const local = localOf(names);
    if (local.size < names.length) return (one: string) => !local.has(one);
    throw new ElenchusError(
      "CONFIG_CONFLICT",
      `algorithm.type = "${name}" keeps every weight of the model on its client, so that nothing is left to average. Let fewer layers be local.`,
    );
  };
  return {
    name,
    server: {
      contents({ arrays }) {
        const travels = traveling(arrays.map((array) => array.name));
        return { arrays: arrays.filter((array) => travels(array.name)) };
      },
      begin(globalWeights) {
        const travels = traveling([...globalWeights.keys()]);
        const arrays = [...globalWeights]
          .filter(([own]) => travels(own))
          .map(([own, { dtype, shape }]) => ({ name: own, dtype, shape }));
        return averaging(globalWeights, arrays);
      },
    },
    client: { modelUpdate: () => new OwnLayers(name, localOf), keepsState: true },
  };
}

/** The client half. */
class OwnLayers implements ModelUpdateStrategy {
  readonly #memory: ClientMemory;
  readonly #localOf: LocalLayers["localOf"];
  #local: ReadonlySet<string> = new Set();

  constructor(name: string, localOf: LocalLayers["localOf"]) {
    this.#memory = new ClientMemory(name);
    this.#localOf = localOf;
  }

  onTrainStart(model: Model, context: TrainingContext): void {
    const weights = model.weights();
    this.#local = this.#localOf([...weights.keys()]);
    const own = this.#memory.recall(context, weights);
    if (own.size > 0) model.loadWeights(replaced(weights, own));
  }

  onTrainEnd(model: Model, context: TrainingContext): void {
    const own = new Map<string, WeightArray>();
    for (const [name, array] of model.weights()) if (this.#local.has(name)) own.set(name, array);
    this.#memory.keep(context, own);
  }

  travels(name: string): boolean {
    return !this.#local.has(name);
  }
}
