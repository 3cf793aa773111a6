import * as tf from "@tensorflow/tfjs-core";
import { ElenchusError, type Random } from "../../base/index.js";
import type { Sight } from "../../compute/fused/index.js";
import type { TokenOptions } from "../causalModel.js";
import { type BranchPaths, branchPaths } from "./branchPaths.js";
import { dropoutMask } from "./dropoutMask.js";
import { emptyContent, SlotCache } from "./keyValueCache.js";
import { causalMask, type Places } from "./mask.js";
import { branchingPlaces, deepest, joinedPlaces, knownParents, newPlaces } from "./tokenPlaces.js";

/**
 * One reading of tokens: where each stands in its row, which others it may look at, and what earlier passes left.
 * Made inside `tf.tidy`; what the cache is to keep is handed over at the end, so that a pass that throws changes
 * nothing.
 */
export class ForwardPass {
  readonly batch: number;
  /** Tokens of the longest row. */
  readonly length: number;
  /** Places of the new tokens in their rows. All rows alike are given once. */
  readonly queries: Places;
  /** Places of all tokens that keys and values are there for. */
  readonly keys: Places;
  /** Tokens of each row after this pass, earlier ones included. */
  readonly totals: Int32Array;
  readonly training: boolean;
  /** Whether blocks are computed again for their gradients. */
  readonly recompute: boolean;
  readonly random: Random | undefined;
  /** In rows that branch: of each token the index in its row of the one it follows, -1 for none. */
  readonly #parents: Int32Array | undefined;
  readonly #options: TokenOptions;
  readonly #cache: SlotCache | undefined;
  readonly #lengths: Int32Array;
  readonly #made = new Map<string, unknown>();
  readonly #sights = new Map<number, Sight>();
  readonly #layers: { keys: tf.Tensor4D; values: tf.Tensor4D }[] = [];
  readonly #states = new Map<string, tf.Tensor>();

  /** @throws DATA_INVALID when rows, lengths, parents and cache do not fit together */
  constructor([batch, length]: readonly [number, number], options: TokenOptions) {
    const { training, random, cache, lengths, parents, recompute = false } = options;
    this.#options = options;
    this.batch = batch;
    this.length = length;
    this.training = training;
    this.random = random;
    // What a cache is to keep must not be made twice, and where nothing is trained there is no gradient.
    this.recompute = recompute && training && cache === undefined;
    this.#lengths = rowLengths(batch, length, lengths);
    if (cache !== undefined && !(cache instanceof SlotCache))
      throw new TypeError("a cache must come from the model's own createCache");
    this.#cache = cache;
    if (parents !== undefined) {
      const before = cache?.content ?? emptyContent(batch);
      if (cache) requireRows(cache, batch);
      this.#parents = knownParents(parents, this.#lengths, length);
      this.queries = branchingPlaces(this.#parents, before, this.#lengths, length);
      this.keys = joinedPlaces(before, this.queries, this.#lengths);
      this.totals = deepest(this.queries, before.lengths);
      if (cache) requireRoom(cache, this.totals);
      return;
    }
    if (cache === undefined) {
      const places = Int32Array.from({ length }, (_, place) => place);
      // Columns in which all rows have padding may have no position in the model.
      const last = Math.max(...this.#lengths, 1) - 1;
      this.queries = { rows: 1, each: length, places: places.map((place) => Math.min(place, last)) };
      this.keys = { rows: 1, each: length, places };
      this.totals = this.#lengths;
      return;
    }
    const before = cache.content;
    requireRows(cache, batch);
    this.totals = this.#lengths.map((own, row) => before.lengths[row]! + own);
    requireRoom(cache, this.totals);
    this.queries = { rows: batch, each: length, places: newPlaces(before, this.#lengths, length) };
    this.keys = joinedPlaces(before, this.queries, this.#lengths);
  }

  /** The places of `queries` as indices into a table of positions: int32 [rows * length]. */
  queryPlaces(): tf.Tensor1D {
    return tf.tensor1d(this.queries.places, "int32");
  }

  /** What depends on nothing but the places of the tokens, made when it is first asked for. */
  once<T>(name: string, make: () => T): T {
    if (!this.#made.has(name)) this.#made.set(name, make());
    return this.#made.get(name) as T;
  }

  /** The same reading for a block whose tensors are freed when it is done: it makes anew what `once` has made here. */
  apart(): ForwardPass {
    return new ForwardPass([this.batch, this.length], this.#options);
  }

  /** Whether earlier passes may have left something, and later ones will want what this one leaves. */
  get cached(): boolean {
    return this.#cache !== undefined;
  }

  /** Where rows branch, the rows that do not which they are made of. */
  get branches(): BranchPaths | undefined {
    const parents = this.#parents;
    return parents && this.once("branches", () => branchPaths(this, parents, this.#lengths));
  }

  /**
   * Which keys each token sees: itself and those before. Where rows branch, of the tokens of `branches`.
   * @param window the most tokens that are seen, the own one included
   */
  sight(window = Number.POSITIVE_INFINITY): Sight {
    const made = this.#sights.get(window);
    if (made) return made;
    const [first] = this.#sights.values();
    const queries = this.branches?.queryPlaces ?? this.queries;
    const keys = this.branches?.keyPlaces ?? this.keys;
    let mask: { tensor: tf.Tensor4D | undefined } | undefined;
    const sight: Sight = {
      window,
      queryPlaces: first?.queryPlaces ?? placesTensor(queries),
      keyPlaces: first?.keyPlaces ?? placesTensor(keys),
      mask: () => {
        mask ??= { tensor: causalMask(queries, keys, window) };
        return mask.tensor;
      },
    };
    this.#sights.set(window, sight);
    return sight;
  }

  /**
   * The layer's keys and values of all tokens, earlier ones first: [batch, slots, heads, head size]. Layers must
   * come in order.
   */
  extend(keys: tf.Tensor4D, values: tf.Tensor4D): { keys: tf.Tensor4D; values: tf.Tensor4D } {
    if (!this.#cache) return { keys, values };
    const layer = this.#layers.length;
    const { keys: oldKeys, values: oldValues } = this.#cache.content;
    const all = {
      keys: layer < oldKeys.length ? tf.concat([oldKeys[layer]!, keys], 1) : keys,
      values: layer < oldValues.length ? tf.concat([oldValues[layer]!, values], 1) : values,
    };
    this.#layers.push(all);
    return all;
  }

  /**
   * Each new token's predecessor in its row, for states that are no keys: [batch, length, width].
   * @param name under which the cache keeps the last one
   * @param states [batch, length, width]; before a row's first token stands zero
   */
  shifted(name: string, states: tf.Tensor3D): tf.Tensor3D {
    const [batch, length, width] = states.shape;
    const last = this.#cache?.content.states.get(name) as tf.Tensor3D | undefined;
    const row = tf.concat([last ?? tf.zeros<tf.Rank.R3>([batch, 1, width]), states], 1);
    if (this.#parents) {
      const places = this.#parents.map(
        (parent, index) => Math.floor(index / length) * (length + 1) + parent + 1,
      );
      const flat = tf.reshape(row, [batch * (length + 1), width]);
      return tf.reshape(tf.gather(flat, tf.tensor1d(places, "int32")), [batch, length, width]);
    }
    if (this.#cache) {
      // Row b has length + 1 entries here; the one at its own length is its last token, or what it had before.
      const places = this.#lengths.map((own, index) => index * (length + 1) + own);
      const flat = tf.reshape(row, [batch * (length + 1), width]);
      this.#states.set(name, tf.reshape(tf.gather(flat, tf.tensor1d(places, "int32")), [batch, 1, width]));
    }
    return tf.slice(row, [0, 0, 0], [batch, length, width]);
  }

  /** Leaves out a share of the numbers in training, and scales the others up. */
  dropout<T extends tf.Tensor>(values: T, rate: number): T {
    if (!this.training || rate === 0) return values;
    if (!this.random) {
      throw new Error(
        "a model with dropout needs `random` in training: without it, runs would not be repeatable",
      );
    }
    return tf.mul(values, dropoutMask(values.shape, rate, [this.random.uint32(), this.random.uint32()])) as T;
  }

  /** Gives the cache what this pass has read. Rows that branch have no one end to go on from. */
  commit(): void {
    if (!this.#cache || this.#parents) return;
    this.#cache.replace({
      lengths: this.totals,
      positions: this.keys.places,
      slots: this.keys.each,
      keys: this.#layers.map(({ keys }) => keys),
      values: this.#layers.map(({ values }) => values),
      states: this.#states,
    });
  }
}

function placesTensor({ places, rows, each }: Places): tf.Tensor2D {
  return tf.tensor2d(places, [rows, each], "int32");
}

function rowLengths(batch: number, length: number, lengths: ArrayLike<number> | undefined): Int32Array {
  if (lengths === undefined) return new Int32Array(batch).fill(length);
  const own = Int32Array.from(lengths);
  if (own.length === batch && own.every((count) => count >= 0 && count <= length)) return own;
  throw new ElenchusError(
    "DATA_INVALID",
    `Lengths [${own.join(", ")}] do not fit tokens [${batch}, ${length}]: expected ${batch} numbers from 0 to ${length}.`,
  );
}

function requireRows(cache: SlotCache, rows: number): void {
  if (rows === cache.batch) return;
  throw new ElenchusError(
    "DATA_INVALID",
    `The cache has ${cache.batch} rows, the tokens ${rows}: expected as many.`,
  );
}

function requireRoom({ capacity, content }: SlotCache, totals: Int32Array): void {
  const row = totals.findIndex((total) => total > capacity);
  if (row < 0) return;
  const held = content.lengths[row]!;
  throw new ElenchusError(
    "DATA_INVALID",
    `Row ${row} of the cache holds ${held} tokens of at most ${capacity}; ${totals[row]! - held} more do not fit. Make the cache with more capacity.`,
  );
}
