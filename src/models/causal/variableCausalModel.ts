import * as tf from "@tensorflow/tfjs-core";
import { ElenchusError } from "../../base/index.js";
import { embedding, linear, type WeightOrder } from "../../compute/fused/index.js";
import type { CausalModel, EffectiveWeight, KeyValueCache, TokenOptions } from "../causalModel.js";
import type { ForwardOptions } from "../model.js";
import { type InitialVariable, VariableModel } from "../variableModel.js";
import { ForwardPass } from "./forwardPass.js";
import { SlotCache } from "./keyValueCache.js";
import type { LinearLayer } from "./linearLayer.js";
import { type AdapterWeights, adapted, type Lora } from "./lora/adapter.js";
import { adapterNames } from "./lora/adapterNames.js";
import { effectiveWeight } from "./lora/effectiveWeight.js";
import { recomputed } from "./recomputed.js";

/** Fields of a `config.json`. */
export type ModelJson = Readonly<Record<string, unknown>>;

/** One of a model's blocks. */
export interface Block<I extends readonly tf.Tensor[], F extends readonly tf.Tensor[]> {
  /** What the names of its variables have in common, without the dot behind it. */
  readonly name: string;
  /** Variables it reads besides. */
  readonly shared?: readonly string[];
  /** What comes in from blocks before. */
  readonly inputs: I;
  /** What comes in besides and has no gradient. */
  readonly fixed: F;
}

/** A causal model of variables: it has only to say how tokens become states, and states logits. */
export abstract class VariableCausalModel extends VariableModel implements CausalModel {
  /** What its `config.json` says. */
  readonly config: ModelJson;
  abstract readonly contextLength: number;
  abstract readonly vocabularySize: number;
  readonly denseLayout: WeightOrder = "out-in";
  /** Tokens of a row for which there are positions. */
  protected readonly longestRow: number = Number.POSITIVE_INFINITY;
  #lora: Lora | undefined;
  #seen: Map<string, LinearLayer> | undefined;

  constructor(name: string, initial: ReadonlyMap<string, InitialVariable>, config: ModelJson) {
    super(name, initial);
    this.config = config;
  }

  /**
   * @param tokens [batch, length]
   * @returns [batch * length, width]
   */
  protected abstract compute(tokens: tf.Tensor2D, pass: ForwardPass): tf.Tensor2D;
  abstract logits(states: tf.Tensor2D): tf.Tensor2D;

  forward(inputs: tf.Tensor, options: ForwardOptions): tf.Tensor3D {
    return tf.tidy(() => this.forwardTokens(tf.cast(inputs, "int32") as tf.Tensor2D, options));
  }

  forwardTokens(tokens: tf.Tensor2D, options: TokenOptions): tf.Tensor3D {
    const [batch, length] = tokens.shape;
    return tf.tidy(() =>
      tf.reshape(this.logits(this.hiddenStates(tokens, options)), [batch, length, this.vocabularySize]),
    );
  }

  hiddenStates(tokens: tf.Tensor2D, options: TokenOptions): tf.Tensor2D {
    this.#requireKnown(tokens);
    return tf.tidy(() => {
      const pass = new ForwardPass(tokens.shape, options);
      this.#requirePositions(pass.totals);
      const states = this.compute(tokens, pass);
      pass.commit();
      return states;
    });
  }

  createCache(batch: number, capacity: number): KeyValueCache {
    return new SlotCache(batch, capacity);
  }

  /** The low-rank adapters by layer, and what they were made from. Absent: there are none. */
  get lora(): Lora | undefined {
    return this.#lora;
  }

  /**
   * Adds adapters to linear layers, once. Their weights, named as `adapterNames` says, stand behind all others.
   * @throws Error where there are some already
   */
  addAdapters(lora: Lora, weights: ReadonlyMap<string, InitialVariable>): void {
    if (this.#lora) throw new Error(`the model ${this.name} has adapters already`);
    this.addVariables(weights);
    this.#lora = lora;
  }

  /** The linear layers, found by reading one token: whatever `compute` asks `linear` for. */
  linearLayers(): ReadonlyMap<string, LinearLayer> {
    const seen = new Map<string, LinearLayer>();
    this.#seen = seen;
    try {
      tf.tidy(() => void this.hiddenStates(tf.zeros([1, 1], "int32"), { training: false }));
    } finally {
      this.#seen = undefined;
    }
    return seen;
  }

  /**
   * What a block makes of its inputs; computed again for the gradient where the pass asks for it.
   * @param compute reads the pass and the tensors it is given, those from outside not at all
   */
  protected block<const I extends readonly tf.Tensor[], const F extends readonly tf.Tensor[]>(
    pass: ForwardPass,
    { name, shared = [], inputs, fixed }: Block<I, F>,
    compute: (pass: ForwardPass, inputs: I, fixed: F) => tf.Tensor2D,
  ): tf.Tensor2D {
    if (!pass.recompute) return compute(pass, inputs, fixed);
    // Whatever was put around a layer later on has the layer's name within its own.
    const own = [...this.variables].filter(([key]) => key.includes(`${name}.`) || shared.includes(key));
    return recomputed({
      inputs,
      fixed,
      variables: own.map(([, variable]) => variable).filter(({ trainable }) => trainable),
      random: pass.random,
      compute: (given, unchanged) => compute(pass.apart(), given, unchanged),
    });
  }

  /**
   * states weight^T + bias, where the layer has one, and what its adapter adds, where it has one.
   */
  protected linear(
    states: tf.Tensor2D,
    layer: string,
    pass: ForwardPass,
    stored: WeightOrder = "out-in",
  ): tf.Tensor2D {
    const weight = this.variable(`${layer}.weight`) as tf.Tensor as tf.Tensor2D;
    const output = linear(states, weight, stored, this.weight(`${layer}.bias`));
    this.#seen?.set(layer, { stored, inputs: states.shape[1], outputs: output.shape[1] });
    const adapter = this.#lora?.adapters.get(layer);
    if (!adapter) return output;
    return tf.add(output, adapted(states, this.adapterWeights(layer), adapter, pass));
  }

  effectiveWeights(): ReadonlyMap<string, EffectiveWeight> {
    const adapters = this.#lora?.adapters;
    const own = new Set([...(adapters?.keys() ?? [])].flatMap(adapterNames));
    const weights = [...this.allWeights()].filter(([name]) => !own.has(name));
    return new Map(
      weights.map(([name, weight]) => {
        const layer = name.replace(/\.weight$/, "");
        const adapter = layer === name ? undefined : adapters?.get(layer);
        const added = adapter && { ...adapter, weights: this.adapterWeights(layer) };
        return [name, effectiveWeight(weight, added)];
      }),
    );
  }

  /** A and B of a layer that has an adapter. */
  adapterWeights(layer: string): AdapterWeights {
    const [a, b] = adapterNames(layer).map((name) => this.variable(name) as tf.Tensor2D);
    return { a: a!, b: b! };
  }

  /** Rows of a table: [tokens, width]. */
  protected embed(tokens: tf.Tensor, table: string): tf.Tensor2D {
    return embedding(this.variable(table) as tf.Tensor as tf.Tensor2D, tf.reshape(tokens, [-1]));
  }

  /** An id too large would read another weight's memory on some back ends. */
  #requireKnown(tokens: tf.Tensor2D): void {
    const ids = tokens.dataSync<"int32">();
    const at = ids.findIndex((id) => id < 0 || id >= this.vocabularySize);
    if (at < 0) return;
    const [row, place] = [Math.floor(at / tokens.shape[1]), at % tokens.shape[1]];
    throw new ElenchusError(
      "DATA_INVALID",
      `Token ${ids[at]} in row ${row}, place ${place}, is none of the ${this.vocabularySize} tokens of ${this.name}. Expected ids from 0 on: use the tokenizer that belongs to the model.`,
    );
  }

  #requirePositions(totals: Int32Array): void {
    const longest = totals.reduce((most, total) => Math.max(most, total), 0);
    if (longest <= this.longestRow) return;
    throw new ElenchusError(
      "DATA_INVALID",
      `A row of ${longest} tokens is too long for ${this.name}, which has positions for ${this.longestRow}. Cut the text, or use a model with a longer context.`,
    );
  }
}
