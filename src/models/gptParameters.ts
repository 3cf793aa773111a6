import { z } from "zod";
import { ACTIVATION_NAMES } from "./causal/activationNames.js";

const size = z.int().positive();

/** `[parameters.model]` of `gpt`. */
export const gptParameters = z.strictObject({
  n_layer: size.default(4).meta({ description: "Layers." }),
  n_head: size.default(4).meta({ description: "Heads of attention; they divide n_embd." }),
  n_embd: size.default(128).meta({ description: "Width of a token's state." }),
  block_size: size.default(128).meta({ description: "Tokens of the context." }),
  vocab_size: size
    .optional()
    .meta({ description: "Tokens of the vocabulary; those of the data when absent." }),
  dropout: z.number().min(0).lt(1).default(0).meta({ description: "Share that training leaves out." }),
  activation_function: z
    .enum(ACTIVATION_NAMES)
    .default("gelu_new")
    .meta({ description: "Between the dense layers." }),
  tie_word_embeddings: z
    .boolean()
    .default(true)
    .meta({ description: "Whether the table of token embeddings also makes the logits." }),
});

/** The same as the `config.json` of a GPT-2, which it is: others load what is saved of it. */
export function gptConfig({ block_size, dropout, ...fields }: z.output<typeof gptParameters>) {
  return {
    ...fields,
    model_type: "gpt2",
    architectures: ["GPT2LMHeadModel"],
    n_positions: block_size,
    embd_pdrop: dropout,
    attn_pdrop: dropout,
    resid_pdrop: dropout,
    // Absent, others would take GPT-2's own, which a small vocabulary does not have.
    bos_token_id: null,
    eos_token_id: null,
  };
}
