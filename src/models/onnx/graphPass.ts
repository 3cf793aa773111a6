import type { OnnxGraph, Value } from "./onnxGraph.js";

/**
 * How a graph reads tokens. `whole`: rows from their beginning. `masked`: the same where rows branch. `onward`: rows that go on from what a cache holds.
 * `step`: the same with one token for each row, by an operation that needs no mask.
 */
export type GraphForm = "whole" | "masked" | "onward" | "step";

/** Heads of a network's attention, as far as a cache needs to know. */
export interface CacheShape {
  readonly layers: number;
  readonly keyHeads: number;
  readonly headSize: number;
}

/** What attention is made of; states are [tokens, heads * head size]. */
export interface GraphAttention {
  readonly layer: number;
  readonly queries: Value;
  readonly keys: Value;
  readonly values: Value;
  readonly heads: number;
  /** Factor of the scores. */
  readonly scale: number;
  /** The most tokens that are seen, the own one included; infinity for all. */
  readonly window: number;
}

/** Names of a graph's outputs. */
export interface PassOutputs {
  /** By layer, those of the new tokens: [batch, key heads, length, head size]. */
  readonly keys: readonly Value[];
  readonly values: readonly Value[];
  /** [batch, length + 1, width]: `shifted`'s predecessor of each token, and the last one. Empty: none is kept. */
  readonly shifted: Value;
}

/**
 * One reading of tokens as a graph: inputs and outputs for where tokens stand and what a cache holds. The tokens of all rows
 * lie one behind the other, without padding: only attention, for which they are spread out and put together again, works on
 * rows of one length. What logits are not wanted of ends with the last layer's keys and values. Inputs are
 * - `tokens` and `positions` int64 [1, tokens], `cos` and `sin` [positions, head size / 2]
 * - `spread` int64 [batch, length], which token stands at each place of padded rows, and `gathered` int64 [tokens], at which
 *   place of [batch * length] each stands
 * - `chosen` int64 [chosen], the tokens that logits may be wanted of, and `chosen_places`, where they stand in [batch * length]
 * - `mask.N` [1 or batch, 1, length, slots] for a window of N tokens, `mask` for all
 * - `keys.L`, `values.L` [batch, key heads, capacity, head size] and `slots` int64 [1], how many of them count
 * - with `step`: `last` int32 [batch], the place of each row's token, and `total` int32, tokens of the longest row
 * - for `shifted`: `before` [batch, 1, width], and `followed` int64 [tokens], rows of [batch, 1 + length] in
 *   which `before` and the states stand one behind the other
 */
export class GraphPass {
  readonly tokens: Value;
  readonly #form: GraphForm;
  readonly #cache: CacheShape;
  readonly #keys: Value[] = [];
  readonly #values: Value[] = [];
  #shifted: Value = "";

  constructor(
    readonly graph: OnnxGraph,
    form: GraphForm,
    cache: CacheShape,
  ) {
    this.#form = form;
    this.#cache = cache;
    this.tokens = graph.input("tokens", "int64", [1, "tokens"]);
  }

  get outputs(): PassOutputs {
    return { keys: this.#keys, values: this.#values, shifted: this.#shifted };
  }

  /** Where the tokens stand: int64 [1, tokens]. */
  get positions(): Value {
    return this.graph.input("positions", "int64", [1, "tokens"]);
  }

  /** [tokens, n] as [batch, length, n]; what stands in padding means nothing. */
  #byRow(states: Value): Value {
    return this.graph.add("Gather", [states, this.graph.input("spread", "int64", ["batch", "length"])]);
  }

  /** Of states [tokens, n] those that logits may be wanted of: [chosen, n]. Behind its last attention a network needs no others. */
  chosen(states: Value): Value {
    return this.graph.add("Gather", [states, this.graph.input("chosen", "int64", ["chosen"])]);
  }

  /** Whether a layer is the last one: what it attends to is then only there for the chosen tokens. */
  isLast(layer: number): boolean {
    return layer === this.#cache.layers - 1;
  }

  /** [..., n] as [tokens, n]. */
  flat(states: Value, width: number): Value {
    return this.graph.add("Reshape", [states, this.graph.integers(-1, width)]);
  }

  /** Turns the pairs (i, i + head size / 2) of every head, [tokens, heads * head size]. */
  rotate(states: Value, heads: number): Value {
    const { graph } = this;
    const { headSize } = this.#cache;
    const [cos, sin] = ["cos", "sin"].map((name) => graph.input(name, "float32", ["angles", headSize / 2]));
    const oneRow = graph.add("Reshape", [states, graph.integers(1, -1, heads * headSize)]);
    const turned = graph.add("RotaryEmbedding", [oneRow, cos!, sin!, this.positions], {
      num_heads: heads,
    });
    return this.flat(turned, heads * headSize);
  }

  /** Softmax(scale * queries keys^T + mask) values, [tokens, heads * head size]; in the last layer [chosen, ...]. */
  attend(attention: GraphAttention): Value {
    const { keyHeads, headSize } = this.#cache;
    const [queries, keys, values] = [attention.queries, attention.keys, attention.values].map((states) =>
      this.#byRow(states),
    ) as [Value, Value, Value];
    const how = {
      whole: this.#attendWhole,
      masked: this.#attendWhole,
      onward: this.#attendOnward,
      step: this.#attendStep,
    };
    const given = { ...attention, queries, keys, values };
    const [mixed, newKeys, newValues] = how[this.#form].call(this, given) as [Value, Value, Value];
    for (const value of [newKeys, newValues]) {
      this.graph.output(value, ["batch", keyHeads, "length", headSize]);
    }
    this.#keys.push(newKeys);
    this.#values.push(newValues);
    const [name, count] = this.isLast(attention.layer) ? ["chosen_places", "chosen"] : ["gathered", "tokens"];
    const places = this.graph.input(name!, "int64", [count!]);
    return this.graph.add("Gather", [this.flat(mixed, attention.heads * headSize), places]);
  }

  /** Each token's predecessor in its row, for states [tokens, width] that are no keys. */
  shifted(states: Value, width: number): Value {
    const { graph } = this;
    const before = graph.input("before", "float32", ["batch", 1, width]);
    this.#shifted = graph.add("Concat", [before, this.#byRow(states)], { axis: 1 });
    graph.output(this.#shifted, ["batch", "length + 1", width]);
    const followed = graph.input("followed", "int64", ["tokens"]);
    return graph.add("Gather", [this.flat(this.#shifted, width), followed]);
  }

  #attendWhole(attention: GraphAttention): Value[] {
    const { queries, keys, values, window } = attention;
    const causal = this.#form === "whole" && window === Number.POSITIVE_INFINITY;
    const inputs = [queries, keys, values, ...(causal ? [] : [this.#mask(window)])];
    return this.graph.several("Attention", inputs, 3, {
      ...this.#heads(attention),
      is_causal: causal ? 1 : 0,
    });
  }

  #attendOnward(attention: GraphAttention): Value[] {
    const { queries, keys, values, window, layer } = attention;
    const { graph } = this;
    const slots = graph.input("slots", "int64", [1]);
    const past = this.#kept(layer).map((buffer) =>
      graph.add("Slice", [buffer, graph.integers(0), slots, graph.integers(2)]),
    );
    const inputs = [queries, keys, values, this.#mask(window), ...past];
    const [mixed] = graph.several("Attention", inputs, 3, this.#heads(attention));
    return [mixed!, this.#byHead(keys), this.#byHead(values)];
  }

  #attendStep({ queries, keys, values, window, layer, heads, scale }: GraphAttention): Value[] {
    const { graph } = this;
    const [last, total] = [graph.input("last", "int32", ["batch"]), graph.input("total", "int32", [])];
    const inputs = [queries, keys, values, ...this.#kept(layer), last, total];
    const [mixed] = graph.contributed("GroupQueryAttention", inputs, 3, {
      num_heads: heads,
      kv_num_heads: this.#cache.keyHeads,
      scale: { float: scale },
      local_window_size: window === Number.POSITIVE_INFINITY ? -1 : window,
    });
    return [mixed!, this.#byHead(keys), this.#byHead(values)];
  }

  /** [batch, length, key heads * head size] as [batch, key heads, length, head size]. */
  #byHead(states: Value): Value {
    const { graph } = this;
    const { keyHeads, headSize } = this.#cache;
    // Zero: as long as it is.
    const split = graph.add("Reshape", [states, graph.integers(0, 0, keyHeads, headSize)]);
    return graph.add("Transpose", [split], { perm: [0, 2, 1, 3] });
  }

  #heads({ heads, scale }: GraphAttention) {
    return { q_num_heads: heads, kv_num_heads: this.#cache.keyHeads, scale: { float: scale } };
  }

  #kept(layer: number): Value[] {
    const { keyHeads, headSize } = this.#cache;
    return ["keys", "values"].map((name) =>
      this.graph.input(`${name}.${layer}`, "float32", ["batch", keyHeads, "capacity", headSize]),
    );
  }

  #mask(window: number): Value {
    return this.graph.input(maskName(window), "float32", ["rows", 1, "length", "slots"]);
  }
}

/** The input for the mask of a window. */
export function maskName(window: number): string {
  return window === Number.POSITIVE_INFINITY ? "mask" : `mask.${window}`;
}
