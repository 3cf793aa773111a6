import * as tf from "@tensorflow/tfjs-core";
import { activation } from "./causal/activations.js";
import { attendPacked } from "./causal/attention.js";
import type { ForwardPass } from "./causal/forwardPass.js";
import { layerNorm } from "./causal/normalisation.js";
import { type ModelJson, VariableCausalModel } from "./causal/variableCausalModel.js";
import type { Gpt2Shape } from "./gpt2Shape.js";
import { gpt2Weights } from "./gpt2Weights.js";
import type { Initialiser } from "./initialValues.js";

/**
 * GPT-2 (Radford et al. 2019): learned positions, layer norms in front of attention and of two dense layers.
 * Weights have the names and layout of the published checkpoints, in which dense weights are [inputs, outputs].
 */
export class Gpt2 extends VariableCausalModel {
  readonly contextLength: number;
  readonly vocabularySize: number;
  readonly shape: Gpt2Shape;
  override readonly denseLayout = "in-out";
  protected override readonly longestRow: number;

  constructor(name: string, shape: Gpt2Shape, initialiser: Initialiser, config: ModelJson) {
    super(name, gpt2Weights(shape, initialiser), config);
    this.shape = shape;
    this.contextLength = shape.contextLength;
    this.longestRow = shape.contextLength;
    this.vocabularySize = shape.vocabularySize;
  }

  protected override compute(tokens: tf.Tensor2D, pass: ForwardPass): tf.Tensor2D {
    let states = this.#embedding(tokens, pass);
    for (let layer = 0; layer < this.shape.layers; layer++) {
      const block = { name: `transformer.h.${layer}`, inputs: [states], fixed: [] } as const;
      states = this.block(pass, block, (own, [before]) => this.#layer(before, layer, own));
    }
    return this.#norm(states, "transformer.ln_f");
  }

  override logits(states: tf.Tensor2D): tf.Tensor2D {
    const table = this.variable(this.shape.tied ? "transformer.wte.weight" : "lm_head.weight");
    return tf.matMul(states, table as tf.Tensor as tf.Tensor2D, false, true);
  }

  #embedding(tokens: tf.Tensor2D, pass: ForwardPass): tf.Tensor2D {
    const { width, dropout } = this.shape;
    const tokenStates = tf.reshape(this.embed(tokens, "transformer.wte.weight"), [
      pass.batch,
      pass.length,
      width,
    ]);
    const places = this.embed(pass.queryPlaces(), "transformer.wpe.weight");
    const states = tf.add(tokenStates, tf.reshape(places, [pass.queries.rows, pass.length, width]));
    return tf.reshape(pass.dropout(states, dropout.embedding), [-1, width]);
  }

  #layer(before: tf.Tensor2D, layer: number, pass: ForwardPass): tf.Tensor2D {
    const block = `transformer.h.${layer}`;
    const states: tf.Tensor2D = tf.add(
      before,
      this.#attention(this.#norm(before, `${block}.ln_1`), layer, pass),
    );
    return tf.add(states, this.#dense(this.#norm(states, `${block}.ln_2`), `${block}.mlp`, pass));
  }

  #attention(states: tf.Tensor2D, layer: number, pass: ForwardPass): tf.Tensor2D {
    const { heads, width, dropout, scaleScores, scaleByLayer } = this.shape;
    const block = `transformer.h.${layer}.attn`;
    const scale = (scaleScores ? 1 / Math.sqrt(width / heads) : 1) / (scaleByLayer ? layer + 1 : 1);
    const packed = this.linear(states, `${block}.c_attn`, pass, "in-out");
    const mixed = attendPacked(pass, packed, heads, { scale, dropout: dropout.attention });
    return pass.dropout(this.linear(mixed, `${block}.c_proj`, pass, "in-out"), dropout.residual);
  }

  #dense(states: tf.Tensor2D, block: string, pass: ForwardPass): tf.Tensor2D {
    const inner = activation(this.shape.activation, this.linear(states, `${block}.c_fc`, pass, "in-out"));
    return pass.dropout(this.linear(inner, `${block}.c_proj`, pass, "in-out"), this.shape.dropout.residual);
  }

  #norm(states: tf.Tensor2D, layer: string): tf.Tensor2D {
    const [weight, bias] = [this.variable(`${layer}.weight`), this.variable(`${layer}.bias`)];
    return layerNorm(states, this.shape.normEpsilon, weight, bias);
  }
}
