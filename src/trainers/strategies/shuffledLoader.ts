import type { DataLoaderStrategy } from "../../algorithms/index.js";
import { createRandom } from "../../base/index.js";
import type { TrainingContext } from "../../context/index.js";
import type { Batch, Dataset } from "../../data/index.js";

/**
 * Shuffles the client's rows anew in each epoch and cuts them into batches; the last may be smaller. The
 * order follows from the seed, the logical client, the round and the epoch alone.
 */
export class ShuffledLoader implements DataLoaderStrategy {
  readonly #seed: number;

  /** @param seed `trainer.random_seed` */
  constructor(seed: number) {
    this.#seed = seed;
  }

  *createTrainLoader(
    trainset: Dataset,
    indices: Int32Array,
    batchSize: number,
    { clientId, currentRound, currentEpoch }: TrainingContext,
  ): Iterable<Batch> {
    const random = createRandom(this.#seed, "shuffle", clientId, currentRound, currentEpoch);
    const order = random.shuffle(indices.slice());
    for (let start = 0; start < order.length; start += batchSize) {
      yield trainset.batch(order.subarray(start, start + batchSize));
    }
  }
}
