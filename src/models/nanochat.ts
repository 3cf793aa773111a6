import * as tf from "@tensorflow/tfjs-core";
import { type Angles, rotate } from "../compute/fused/index.js";
import { attend, splitHeads } from "./causal/attention.js";
import type { ForwardPass } from "./causal/forwardPass.js";
import { rmsNorm } from "./causal/normalisation.js";
import { rotaryAngles } from "./causal/rotary.js";
import { type ModelJson, VariableCausalModel } from "./causal/variableCausalModel.js";
import type { Initialiser } from "./initialValues.js";
import { LONGEST_CONTEXTS } from "./nanochatPositions.js";
import type { NanochatShape } from "./nanochatShape.js";
import { hasValueEmbeddings, nanochatWeights, SMEAR_INPUTS, VALUE_GATE_INPUTS } from "./nanochatWeights.js";

/** Machine epsilon of 32-bit floats, which PyTorch's norm takes when it is given none. */
export const EPSILON = 2 ** -23;
export const ROTARY_BASE = 100_000;
/** Queries and keys are so much longer than their norm makes them. */
export const SHARPNESS = 1.2;
/** Logits stay within +-15. */
export const CAP = 15;

/**
 * nanochat's GPT (Karpathy 2025), as of July 2026: no biases, no learned norms, rotary positions turned the other
 * way round, norms of queries and keys behind the turn, squared ReLU. Besides: each token's embedding takes in a
 * gated share of the one before ("smear"); every layer starts from a mix of the stream and the first embedding;
 * every second layer adds a table of value embeddings; and the stream of the middle layer is subtracted at the end.
 */
export class Nanochat extends VariableCausalModel {
  readonly contextLength: number;
  readonly vocabularySize: number;
  readonly shape: NanochatShape;
  protected override readonly longestRow: number;

  constructor(name: string, shape: NanochatShape, initialiser: Initialiser, config: ModelJson) {
    super(name, nanochatWeights(shape, initialiser), config);
    this.shape = shape;
    this.contextLength = shape.contextLength;
    this.longestRow = LONGEST_CONTEXTS * shape.contextLength;
    this.vocabularySize = shape.vocabularySize;
  }

  protected override compute(tokens: tf.Tensor2D, pass: ForwardPass): tf.Tensor2D {
    const { layers } = this.shape;
    const first = this.#smeared(norm(this.embed(tokens, "transformer.wte.weight")), pass);
    let states = first;
    let middle = first;
    for (let layer = 0; layer < layers; layer++) {
      const block = {
        name: `transformer.h.${layer}`,
        shared: ["resid_lambdas", "x0_lambdas", `value_embeds.${layer}.weight`],
        inputs: [states, first],
        fixed: [tokens],
      } as const;
      states = this.block(pass, block, (own, [before, start], [ids]) =>
        this.#layer(own, { before, first: start, tokens: ids }, layer),
      );
      if (layer === Math.floor(layers / 2)) middle = states;
    }
    return norm(tf.sub(states, tf.mul(middle, this.variable("backout_lambda"))));
  }

  override logits(states: tf.Tensor2D): tf.Tensor2D {
    // The table has more rows than there are tokens, so that its length is a multiple of 64.
    const table = tf.slice(this.variable("lm_head.weight") as tf.Tensor, [0, 0], [this.vocabularySize, -1]);
    return tf.mul(tf.tanh(tf.div(tf.matMul(states, table as tf.Tensor2D, false, true), CAP)), CAP);
  }

  #layer(
    pass: ForwardPass,
    { before, first, tokens }: { before: tf.Tensor2D; first: tf.Tensor2D; tokens: tf.Tensor2D },
    layer: number,
  ): tf.Tensor2D {
    const own = tf.mul(before, tf.slice(this.variable("resid_lambdas") as tf.Tensor, [layer], [1]));
    const share = tf.mul(first, tf.slice(this.variable("x0_lambdas") as tf.Tensor, [layer], [1]));
    const mixed: tf.Tensor2D = tf.add(own, share);
    const states: tf.Tensor2D = tf.add(mixed, this.#attention(norm(mixed), tokens, layer, pass));
    return tf.add(states, this.#dense(norm(states), `transformer.h.${layer}.mlp`, pass));
  }

  #angles(pass: ForwardPass): Angles {
    const { width, heads } = this.shape;
    const settings = { size: width / heads, base: ROTARY_BASE, scaling: { type: "default" } } as const;
    return pass.once("angles", () => {
      const { cos, sin } = rotaryAngles(settings, pass.queries, pass.totals);
      return { cos, sin: tf.neg(sin) };
    });
  }

  #smeared(states: tf.Tensor2D, pass: ForwardPass): tf.Tensor2D {
    const { width } = this.shape;
    const before = pass.shifted("smear", tf.reshape(states, [pass.batch, pass.length, width]));
    const gate = tf.sigmoid(this.linear(firstNumbers(states, SMEAR_INPUTS), "smear_gate", pass));
    const share = tf.mul(gate, this.variable("smear_lambda"));
    return tf.add(states, tf.mul(share, tf.reshape(before, [-1, width])));
  }

  #attention(states: tf.Tensor2D, tokens: tf.Tensor2D, layer: number, pass: ForwardPass): tf.Tensor2D {
    const { heads, keyHeads, width } = this.shape;
    const angles = this.#angles(pass);
    const block = `transformer.h.${layer}.attn`;
    const queries = splitHeads(pass, this.linear(states, `${block}.c_q`, pass), heads);
    const keys = splitHeads(pass, this.linear(states, `${block}.c_k`, pass), keyHeads);
    const values = splitHeads(pass, this.#values(states, tokens, layer, pass), keyHeads);
    // Both are longer than their norm makes them, so scores are longer by the square.
    const scale = (SHARPNESS * SHARPNESS) / Math.sqrt(width / heads);
    const turned = { queries: norm(rotate(queries, angles)), keys: norm(rotate(keys, angles)), values };
    const mixed = attend(pass, turned, { scale, window: windowOf(this.shape, layer) });
    return this.linear(mixed, `${block}.c_proj`, pass);
  }

  /** Values [tokens, key heads * head size], with the layer's value embeddings where it has them. */
  #values(states: tf.Tensor2D, tokens: tf.Tensor2D, layer: number, pass: ForwardPass): tf.Tensor2D {
    const block = `transformer.h.${layer}.attn`;
    const values = this.linear(states, `${block}.c_v`, pass);
    if (!hasValueEmbeddings(this.shape, layer)) return values;
    const { keyHeads } = this.shape;
    const gates = tf.sigmoid(this.linear(firstNumbers(states, VALUE_GATE_INPUTS), `${block}.ve_gate`, pass));
    const rows = states.shape[0];
    const embedded = tf.reshape(this.embed(tokens, `value_embeds.${layer}.weight`), [rows, keyHeads, -1]);
    const gated = tf.mul(embedded, tf.reshape(tf.mul(gates, 3), [rows, keyHeads, 1]));
    return tf.add(values, tf.reshape(gated, values.shape));
  }

  #dense(states: tf.Tensor2D, block: string, pass: ForwardPass): tf.Tensor2D {
    const inner = tf.square(tf.relu(this.linear(states, `${block}.c_fc`, pass)));
    return this.linear(inner, `${block}.c_proj`, pass);
  }
}

function norm<T extends tf.Tensor>(states: T): T {
  return rmsNorm(states, EPSILON);
}

function firstNumbers(states: tf.Tensor2D, count: number): tf.Tensor2D {
  return tf.slice(states, [0, 0], [-1, count]);
}

/** The most tokens that a layer's queries see, their own included. The last layer sees the whole context. */
export function windowOf({ windowPattern, contextLength, layers }: NanochatShape, layer: number): number {
  const letter = layer === layers - 1 ? "L" : windowPattern[layer % windowPattern.length]!.toUpperCase();
  const left = letter === "L" ? contextLength : Math.ceil(Math.ceil(contextLength / 4) / 128) * 128;
  return left + 1;
}
