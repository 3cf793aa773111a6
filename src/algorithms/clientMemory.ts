import { ElenchusError } from "../base/index.js";
import type { TrainingContext } from "../context/index.js";
import type { WeightArray, Weights } from "../weights/index.js";

/**
 * Arrays that an algorithm keeps for a logical client between its rounds, under a name of its own in `context.state`.
 * They follow the client to whichever process trains it.
 */
export class ClientMemory {
  readonly #key: string;

  /** @param key the algorithm's name, and what it keeps */
  constructor(key: string) {
    this.#key = key;
  }

  /**
   * What was kept; empty before the first participation.
   * @param like arrays of the model, by which those that were kept are checked
   * @throws WEIGHTS_INVALID where they are of another model
   */
  recall({ state, clientId }: TrainingContext, like: Weights): Weights {
    const found = state.get(this.#key);
    if (found === undefined) return new Map();
    if (found instanceof Map && [...found].every(([name, array]) => fits(array, like.get(name)))) {
      return found as Weights;
    }
    throw new ElenchusError(
      "WEIGHTS_INVALID",
      `What client ${clientId} kept as "${this.#key}" does not fit the model. Its state is of another run or model: start the run under another --run-id.`,
    );
  }

  keep({ state }: TrainingContext, arrays: Weights): void {
    state.set(this.#key, new Map(arrays));
  }
}

function fits(array: WeightArray | undefined, like: WeightArray | undefined): boolean {
  return (
    array !== undefined &&
    like !== undefined &&
    array.dtype === like.dtype &&
    array.data?.length === like.data.length &&
    array.shape.join() === like.shape.join()
  );
}
