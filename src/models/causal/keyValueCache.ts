import * as tf from "@tensorflow/tfjs-core";
import type { KeyValueCache } from "../causalModel.js";

/** Keys or values of one layer, [batch, slots, heads, head size]. */
type Kept = tf.Tensor4D;

/** What a cache holds; replaced as a whole when a forward pass has succeeded. */
export interface CacheContent {
  readonly lengths: Int32Array;
  /** Place in its row of the token in each slot, [batch * slots]; -1 where the slot holds padding. */
  readonly positions: Int32Array;
  readonly slots: number;
  readonly keys: readonly Kept[];
  readonly values: readonly Kept[];
  /** Whatever else a model keeps, by name; the first axis is the batch. */
  readonly states: ReadonlyMap<string, tf.Tensor>;
}

/**
 * Rows of different lengths share slots: every pass adds as many slots to each row as its longest one needs, and
 * slots with padding are passed over by the mask.
 */
export class SlotCache implements KeyValueCache {
  readonly batch: number;
  readonly capacity: number;
  #content: CacheContent;

  constructor(batch: number, capacity: number, content: CacheContent = emptyContent(batch)) {
    this.batch = batch;
    this.capacity = capacity;
    this.#content = content;
  }

  get content(): CacheContent {
    return this.#content;
  }

  get lengths(): Readonly<Int32Array> {
    return this.#content.lengths.slice();
  }

  /** Takes over the tensors of `content` and frees those it held before. */
  replace(content: CacheContent): void {
    const kept = new Set(tensorsOf(content));
    for (const tensor of tensorsOf(this.#content)) if (!kept.has(tensor)) tensor.dispose();
    for (const tensor of kept) tf.keep(tensor);
    this.#content = content;
  }

  select(rows: ArrayLike<number>): SlotCache {
    const chosen = Int32Array.from(rows);
    for (const row of chosen) {
      if (row < 0 || row >= this.batch)
        throw new RangeError(`the cache has ${this.batch} rows, none is ${row}`);
    }
    const { lengths, positions, slots, keys, values, states } = this.#content;
    const index = tf.tensor1d(chosen, "int32");
    const of = <T extends tf.Tensor>(tensor: T): T => tf.keep(tf.gather(tensor, index));
    const gathered = {
      keys: keys.map(of),
      values: values.map(of),
      states: new Map([...states].map(([name, state]) => [name, of(state)])),
    };
    index.dispose();
    const places = new Int32Array(chosen.length * slots);
    chosen.forEach((row, place) => {
      places.set(positions.subarray(row * slots, (row + 1) * slots), place * slots);
    });
    return new SlotCache(chosen.length, this.capacity, {
      ...gathered,
      slots,
      positions: places,
      lengths: chosen.map((row) => lengths[row]!),
    });
  }

  dispose(): void {
    for (const tensor of tensorsOf(this.#content)) tensor.dispose();
    this.#content = emptyContent(this.batch);
  }
}

function emptyContent(batch: number): CacheContent {
  return {
    lengths: new Int32Array(batch),
    positions: new Int32Array(0),
    slots: 0,
    keys: [],
    values: [],
    states: new Map(),
  };
}

function tensorsOf({ keys, values, states }: CacheContent): tf.Tensor[] {
  return [...keys, ...values, ...states.values()];
}
