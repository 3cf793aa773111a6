import { z } from "zod";
import type { NanochatShape } from "../nanochatShape.js";
import { invalidConfig, parseFields } from "./configFields.js";

const size = z.int().positive();

/** A nanochat model's sizes, by the names of its `model_config`. */
export const nanochatConfig = z.object({
  sequence_len: size.default(2048).describe("Tokens of the context."),
  vocab_size: size.default(32_768).describe("Tokens of the vocabulary."),
  n_layer: size.default(12).describe("Layers."),
  n_head: size.default(6).describe("Heads of attention; they divide n_embd into even numbers."),
  n_kv_head: size.optional().describe("Heads of keys and values; n_head when absent."),
  n_embd: z.int().min(24).default(768).describe("Width of a token's state."),
  window_pattern: z
    .string()
    .regex(/^[LlSs]+$/)
    .default("SSSL")
    .describe("By layer, repeated: L sees the context, S a quarter of it; the last layer is always L."),
});

/** @throws CONFIG_INVALID naming the fields at fault */
export function nanochatShape(config: object, where: string): NanochatShape {
  const fields = parseFields(nanochatConfig, config, where);
  const { n_head, n_kv_head = n_head, n_embd } = fields;
  if ((n_embd / n_head) % 2 !== 0) {
    throw invalidConfig(where, [`n_embd / n_head = ${n_embd / n_head}: expected an even whole number`]);
  }
  if (n_head % n_kv_head !== 0) {
    throw invalidConfig(where, [`n_kv_head = ${n_kv_head} does not divide n_head = ${n_head}`]);
  }
  return {
    vocabularySize: fields.vocab_size,
    contextLength: fields.sequence_len,
    width: n_embd,
    layers: fields.n_layer,
    heads: n_head,
    keyHeads: n_kv_head,
    windowPattern: fields.window_pattern,
  };
}
