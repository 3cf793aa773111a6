import * as tf from "@tensorflow/tfjs-core";
import { ElenchusError } from "../base/index.js";
import { rotate } from "../compute/fused/index.js";
import { gatedActivation } from "./causal/activations.js";
import { attend, splitHeads } from "./causal/attention.js";
import type { ForwardPass } from "./causal/forwardPass.js";
import { rmsNorm } from "./causal/normalisation.js";
import { rotaryAngles } from "./causal/rotary.js";
import { type ModelJson, VariableCausalModel } from "./causal/variableCausalModel.js";
import type { KeyValueCache } from "./causalModel.js";
import type { Initialiser } from "./initialValues.js";
import type { LlamaShape } from "./llamaShape.js";
import { llamaWeights } from "./llamaWeights.js";

/**
 * Llama (Touvron et al. 2023) and what grew from it, SmolLM2, Qwen2, Qwen2.5, Qwen3 and Mistral: rotary positions,
 * RMS norms, a gated dense layer. Weights have the names and layout of the published checkpoints.
 */
export class Llama extends VariableCausalModel {
  readonly contextLength: number;
  readonly vocabularySize: number;
  readonly shape: LlamaShape;

  constructor(name: string, shape: LlamaShape, initialiser: Initialiser, config: ModelJson) {
    super(name, llamaWeights(shape, initialiser), config);
    this.shape = shape;
    this.contextLength = shape.contextLength;
    this.vocabularySize = shape.vocabularySize;
  }

  protected override compute(tokens: tf.Tensor2D, pass: ForwardPass): tf.Tensor2D {
    let states = this.embed(tokens, "model.embed_tokens.weight");
    for (let layer = 0; layer < this.shape.layers; layer++) {
      const block = { name: `model.layers.${layer}`, inputs: [states], fixed: [] } as const;
      states = this.block(pass, block, (own, [before]) => this.#layer(before, layer, own));
    }
    return this.#norm(states, "model.norm");
  }

  override logits(states: tf.Tensor2D): tf.Tensor2D {
    const table = this.variable(this.shape.tied ? "model.embed_tokens.weight" : "lm_head.weight");
    return tf.matMul(states, table as tf.Tensor as tf.Tensor2D, false, true);
  }

  /**
   * @throws CAPABILITY_MISSING beyond the original context where scaling is dynamic: there every further token
   *   changes what was read before
   */
  override createCache(batch: number, capacity: number): KeyValueCache {
    const { scaling } = this.shape.rotary;
    if (scaling.type !== "dynamic" || capacity <= scaling.originalContext)
      return super.createCache(batch, capacity);
    throw new ElenchusError(
      "CAPABILITY_MISSING",
      `${this.name} scales its positions by the length of the row, so beyond ${scaling.originalContext} tokens nothing it has read can be kept: a cache for ${capacity} was asked for. Read whole rows instead.`,
    );
  }

  #layer(before: tf.Tensor2D, layer: number, pass: ForwardPass): tf.Tensor2D {
    const block = `model.layers.${layer}`;
    const attended = this.#attention(this.#norm(before, `${block}.input_layernorm`), layer, pass);
    const states: tf.Tensor2D = tf.add(before, attended);
    return tf.add(
      states,
      this.#dense(this.#norm(states, `${block}.post_attention_layernorm`), `${block}.mlp`, pass),
    );
  }

  #attention(states: tf.Tensor2D, layer: number, pass: ForwardPass): tf.Tensor2D {
    const { heads, keyHeads, headSize, windows, attentionDropout } = this.shape;
    const block = `model.layers.${layer}.self_attn`;
    const angles = pass.once("angles", () => rotaryAngles(this.shape.rotary, pass.queries, pass.totals));
    const queries = this.#heads(pass, states, `${block}.q_proj`, heads, `${block}.q_norm`);
    const keys = this.#heads(pass, states, `${block}.k_proj`, keyHeads, `${block}.k_norm`);
    const values = splitHeads(pass, this.linear(states, `${block}.v_proj`, pass), keyHeads);
    const mixed = attend(
      pass,
      { queries: rotate(queries, angles), keys: rotate(keys, angles), values },
      { scale: 1 / Math.sqrt(headSize), window: windows[layer], dropout: attentionDropout },
    );
    return this.linear(mixed, `${block}.o_proj`, pass);
  }

  #heads(pass: ForwardPass, states: tf.Tensor2D, layer: string, heads: number, norm: string): tf.Tensor4D {
    const split = splitHeads(pass, this.linear(states, layer, pass), heads);
    return this.shape.queryKeyNorm ? this.#norm(split, norm) : split;
  }

  /** down(act(gate(x)) * up(x)) (Shazeer 2020, arXiv:2002.05202). */
  #dense(states: tf.Tensor2D, block: string, pass: ForwardPass): tf.Tensor2D {
    const gate = this.linear(states, `${block}.gate_proj`, pass);
    const up = this.linear(states, `${block}.up_proj`, pass);
    return this.linear(gatedActivation(this.shape.activation, gate, up), `${block}.down_proj`, pass);
  }

  #norm<T extends tf.Tensor>(states: T, layer: string): T {
    return rmsNorm(states, this.shape.normEpsilon, this.variable(`${layer}.weight`));
  }
}
