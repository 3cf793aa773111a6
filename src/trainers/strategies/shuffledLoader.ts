import type { DataLoaderStrategy } from "../../algorithms/index.js";
import { createRandom } from "../../base/index.js";
import type { TrainingContext } from "../../context/index.js";
import { type Augmentation, augmented, type Batch, type Dataset } from "../../data/index.js";

/**
 * Shuffles the client's rows anew in each epoch and cuts them into batches; the last may be smaller. The
 * order, and how images are varied, follow from the seed, the logical client, the round and the epoch alone.
 */
export class ShuffledLoader implements DataLoaderStrategy {
  readonly #seed: number;
  readonly #augmentation: Augmentation | undefined;

  /**
   * @param seed `trainer.random_seed`
   * @param augmentation how images are varied; absent: not at all
   */
  constructor(seed: number, augmentation?: Augmentation) {
    this.#seed = seed;
    this.#augmentation = augmentation;
  }

  *createTrainLoader(
    trainset: Dataset,
    indices: Int32Array,
    batchSize: number,
    { clientId, currentRound, currentEpoch }: TrainingContext,
  ): Iterable<Batch> {
    const random = createRandom(this.#seed, "shuffle", clientId, currentRound, currentEpoch);
    const varying = createRandom(this.#seed, "augment", clientId, currentRound, currentEpoch);
    const order = random.shuffle(indices.slice());
    for (let start = 0; start < order.length; start += batchSize) {
      const batch = trainset.batch(order.subarray(start, start + batchSize));
      yield this.#augmentation ? augmented(batch, this.#augmentation, varying, trainset.blank) : batch;
    }
  }
}
