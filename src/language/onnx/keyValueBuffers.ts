import type { CacheShape } from "../../models/onnx/index.js";
import type { TokenCache } from "../passes/tokenReader.js";

/** Keys and values of one layer, each [batch, key heads, room, head size]. */
export interface LayerBuffers {
  keys: Float32Array;
  values: Float32Array;
}

/** Room is made for so many tokens more than are needed, so that it need not be made for each. */
const SPARE = 64;

/**
 * What was read of some rows: the tokens of a row lie one behind another from its first slot on. What lies behind
 * them is of no meaning.
 */
export class KeyValueBuffers implements TokenCache {
  readonly batch: number;
  readonly capacity: number;
  readonly #shape: CacheShape;
  readonly #lengths: Int32Array;
  #room = 0;
  #layers: LayerBuffers[];
  /** The last embedding of each row, [batch, width]; empty for a network that looks at none. */
  last: Float32Array;

  constructor(shape: CacheShape, batch: number, capacity: number, shiftedWidth: number) {
    this.batch = batch;
    this.capacity = capacity;
    this.#shape = shape;
    this.#lengths = new Int32Array(batch);
    this.#layers = emptyLayers(shape.layers, 0);
    this.last = new Float32Array(batch * shiftedWidth);
  }

  /** Tokens of each row. */
  get lengths(): Readonly<Int32Array> {
    return this.#lengths;
  }

  /** Slots of each row. */
  get room(): number {
    return this.#room;
  }

  get layers(): readonly LayerBuffers[] {
    return this.#layers;
  }

  /** Shape of a layer's buffers. */
  get dimensions(): [number, number, number, number] {
    return [this.batch, this.#shape.keyHeads, this.#room, this.#shape.headSize];
  }

  /** Makes room for so many tokens of each row. */
  reserve(slots: number): void {
    if (slots <= this.#room) return;
    const room = Math.max(slots, Math.min(this.capacity, slots + SPARE));
    this.#layers = this.#copied(room, identity(this.batch));
    this.#room = room;
  }

  /**
   * Takes new tokens over.
   * @param layers each [batch, key heads, length, head size]
   * @param own tokens of each row that are no padding
   */
  append(layers: readonly LayerBuffers[], length: number, own: Int32Array): void {
    const { keyHeads, headSize } = this.#shape;
    layers.forEach((layer, index) => {
      const buffers = this.#layers[index]!;
      for (const name of ["keys", "values"] as const) {
        for (let block = 0; block < this.batch * keyHeads; block++) {
          const row = Math.floor(block / keyHeads);
          const start = block * length * headSize;
          const at = (block * this.#room + this.#lengths[row]!) * headSize;
          buffers[name].set(layer[name].subarray(start, start + own[row]! * headSize), at);
        }
      }
    });
    for (let row = 0; row < this.batch; row++) this.#lengths[row]! += own[row]!;
  }

  select(rows: ArrayLike<number>): this {
    const chosen = Int32Array.from(rows);
    const width = this.last.length / this.batch;
    const next = new KeyValueBuffers(this.#shape, chosen.length, this.capacity, width);
    const used = chosen.reduce((most, row) => Math.max(most, this.#lengths[row]!), 0);
    next.#room = Math.max(used, Math.min(this.capacity, used + SPARE));
    next.#layers = this.#copied(next.#room, chosen);
    chosen.forEach((row, index) => {
      next.#lengths[index] = this.#lengths[row]!;
      next.last.set(this.last.subarray(row * width, (row + 1) * width), index * width);
    });
    return next as this;
  }

  join(...others: readonly this[]): this {
    const all = [this, ...others];
    const batch = all.reduce((sum, cache) => sum + cache.batch, 0);
    const width = this.last.length / this.batch;
    const next = new KeyValueBuffers(this.#shape, batch, this.capacity, width);
    const { keyHeads, headSize } = this.#shape;
    next.#room = all.reduce((most, { room }) => Math.max(most, room), 0);
    next.#layers = emptyLayers(this.#shape.layers, batch * keyHeads * next.#room * headSize);
    let first = 0;
    for (const cache of all) {
      next.#lengths.set(cache.#lengths, first);
      next.last.set(cache.last, first * width);
      for (let block = 0; block < cache.batch * keyHeads; block++) {
        const start = block * cache.#room * headSize;
        const end = start + cache.#lengths[Math.floor(block / keyHeads)]! * headSize;
        const at = (first * keyHeads + block) * next.#room * headSize;
        cache.#layers.forEach((layer, index) => {
          for (const name of ["keys", "values"] as const) {
            next.#layers[index]![name].set(layer[name].subarray(start, end), at);
          }
        });
      }
      first += cache.batch;
    }
    return next as this;
  }

  /** Leaves the memory to the garbage collector at once. */
  dispose(): void {
    this.#layers = emptyLayers(this.#shape.layers, 0);
    this.#room = 0;
    this.#lengths.fill(0);
  }

  #copied(room: number, rows: Int32Array): LayerBuffers[] {
    const { keyHeads, headSize, layers } = this.#shape;
    const copies = emptyLayers(layers, rows.length * keyHeads * room * headSize);
    copies.forEach((copy, index) => {
      const from = this.#layers[index]!;
      for (const name of ["keys", "values"] as const) {
        for (let place = 0; place < rows.length * keyHeads; place++) {
          const row = rows[Math.floor(place / keyHeads)]!;
          const block = row * keyHeads + (place % keyHeads);
          const start = block * this.#room * headSize;
          const length = this.#lengths[row]! * headSize;
          copy[name].set(from[name].subarray(start, start + length), place * room * headSize);
        }
      }
    });
    return copies;
  }
}

function emptyLayers(count: number, size: number): LayerBuffers[] {
  return Array.from({ length: count }, () => ({
    keys: new Float32Array(size),
    values: new Float32Array(size),
  }));
}

function identity(count: number): Int32Array {
  return Int32Array.from({ length: count }, (_, index) => index);
}
