import * as tf from "@tensorflow/tfjs-core";
import { embedding } from "../../compute/fused/index.js";
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
    // Slots in front that none of these rows uses, as those that have ended left them.
    const empty = emptySlots(this.#content, chosen);
    const without = (tensor: Kept) => tf.tidy(() => takeRows(trimmed(tensor, empty), chosen));
    const of = <T extends tf.Tensor>(tensor: T): T => tf.keep(tf.tidy(() => takeRows(tensor, chosen)));
    const gathered = {
      keys: keys.map((tensor) => tf.keep(without(tensor))),
      values: values.map((tensor) => tf.keep(without(tensor))),
      states: new Map([...states].map(([name, state]) => [name, of(state)])),
    };
    const used = slots - empty;
    const places = new Int32Array(chosen.length * used);
    chosen.forEach((row, place) => {
      places.set(positions.subarray(row * slots + empty, (row + 1) * slots), place * used);
    });
    return new SlotCache(chosen.length, this.capacity, {
      ...gathered,
      slots: used,
      positions: places,
      lengths: chosen.map((row) => lengths[row]!),
    });
  }

  /** Rows end at the same slot, so that those to come lie side by side; shorter ones have padding in front. */
  join(...others: readonly KeyValueCache[]): SlotCache {
    const all = [this, ...others].map((cache) => {
      if (cache instanceof SlotCache && cache.#content.keys.length === this.#content.keys.length)
        return cache;
      throw new TypeError("only caches of one model can be joined, and none that is empty");
    });
    const contents = all.map(({ content }) => content);
    const slots = contents.reduce((most, content) => Math.max(most, content.slots), 0);
    const batch = all.reduce((sum, cache) => sum + cache.batch, 0);
    const layers = (of: (content: CacheContent) => readonly Kept[]) =>
      of(this.#content).map((_, layer) =>
        tf.keep(
          tf.tidy(() =>
            tf.concat(
              contents.map((content) => padded(of(content)[layer]!, slots)),
              0,
            ),
          ),
        ),
      );
    const states = [...this.#content.states.keys()].map((name): [string, tf.Tensor] => [
      name,
      tf.keep(
        tf.concat(
          contents.map((content) => content.states.get(name)!),
          0,
        ),
      ),
    ]);
    const positions = new Int32Array(batch * slots).fill(-1);
    let end = 0;
    for (const content of contents) {
      for (let row = 0; row < content.lengths.length; row++) {
        end += slots;
        const own = content.positions.subarray(row * content.slots, (row + 1) * content.slots);
        positions.set(own, end - content.slots);
      }
    }
    return new SlotCache(batch, this.capacity, {
      lengths: Int32Array.from(contents.flatMap(({ lengths }) => [...lengths])),
      positions,
      slots,
      keys: layers(({ keys }) => keys),
      values: layers(({ values }) => values),
      states: new Map(states),
    });
  }

  dispose(): void {
    for (const tensor of tensorsOf(this.#content)) tensor.dispose();
    this.#content = emptyContent(this.batch);
  }
}

/** How many slots in front hold padding in all of these rows. */
function emptySlots({ positions, slots }: CacheContent, rows: Int32Array): number {
  let empty = 0;
  while (empty < slots && rows.every((row) => positions[row * slots + empty] === -1)) empty++;
  return rows.length === 0 ? 0 : empty;
}

function trimmed(tensor: Kept, empty: number): Kept {
  return empty === 0 ? tensor : tf.slice(tensor, [0, empty, 0, 0]);
}

/** With slots of zeros in front. */
function padded(tensor: Kept, slots: number): Kept {
  const [batch, own, heads, size] = tensor.shape;
  return own === slots
    ? tensor
    : tf.concat([tf.zeros<tf.Rank.R4>([batch, slots - own, heads, size]), tensor], 1);
}

function takeRows<T extends tf.Tensor>(tensor: T, rows: Int32Array): T {
  const rest = tensor.shape.slice(1);
  const flat = tf.reshape(tensor, [tensor.shape[0]!, -1]) as tf.Tensor2D;
  return tf.reshape(embedding(flat, tf.tensor1d(rows, "int32")), [rows.length, ...rest]) as T;
}

/** What a cache of so many rows begins with. */
export function emptyContent(batch: number): CacheContent {
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
