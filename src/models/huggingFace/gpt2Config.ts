import { z } from "zod";
import { ACTIVATION_NAMES } from "../causal/activationNames.js";
import type { Gpt2Shape } from "../gpt2Shape.js";
import { invalidConfig, parseFields } from "./configFields.js";

const size = z.int().positive();
const share = z.number().min(0).lt(1);

/** `config.json` of GPT-2. */
export const gpt2Config = z.object({
  vocab_size: size.describe("Tokens of the vocabulary."),
  n_positions: size.describe("Tokens of the context."),
  n_embd: size.describe("Width of a token's state."),
  n_layer: size.describe("Layers."),
  n_head: size.describe("Heads of attention; they divide n_embd."),
  n_inner: size.nullish().describe("Width within the dense layers; 4 n_embd when absent."),
  activation_function: z.enum(ACTIVATION_NAMES).default("gelu_new").describe("Between the dense layers."),
  layer_norm_epsilon: z.number().positive().default(1e-5),
  embd_pdrop: share.default(0.1).describe("Dropout of embeddings."),
  attn_pdrop: share.default(0.1).describe("Dropout of attention."),
  resid_pdrop: share.default(0.1).describe("Dropout of what layers add."),
  scale_attn_weights: z.boolean().default(true),
  scale_attn_by_inverse_layer_idx: z.boolean().default(false),
  tie_word_embeddings: z.boolean().default(true),
  initializer_range: z.number().nonnegative().default(0.02).describe("Deviation of the first weights."),
});

/** @throws CONFIG_INVALID naming the fields at fault */
export function gpt2Shape(config: object, where: string): Gpt2Shape {
  const fields = parseFields(gpt2Config, config, where);
  if (fields.n_embd % fields.n_head !== 0) {
    throw invalidConfig(where, [`n_head = ${fields.n_head} does not divide n_embd = ${fields.n_embd}`]);
  }
  return {
    vocabularySize: fields.vocab_size,
    contextLength: fields.n_positions,
    width: fields.n_embd,
    layers: fields.n_layer,
    heads: fields.n_head,
    innerWidth: fields.n_inner ?? 4 * fields.n_embd,
    activation: fields.activation_function,
    normEpsilon: fields.layer_norm_epsilon,
    dropout: { embedding: fields.embd_pdrop, attention: fields.attn_pdrop, residual: fields.resid_pdrop },
    scaleScores: fields.scale_attn_weights,
    scaleByLayer: fields.scale_attn_by_inverse_layer_idx,
    tied: fields.tie_word_embeddings,
    deviation: fields.initializer_range,
  };
}
