import type { Initialiser } from "./initialValues.js";
import type { LlamaShape } from "./llamaShape.js";
import type { InitialVariable } from "./variableModel.js";

/**
 * The first values of a Llama's weights, by the names of the published checkpoints. Loads no TensorFlow.js.
 */
export function llamaWeights(shape: LlamaShape, make: Initialiser): Map<string, InitialVariable> {
  const { vocabularySize, width, layers, heads, keyHeads, headSize, innerWidth, biases, queryKeyNorm } =
    shape;
  const variables = new Map<string, InitialVariable>();
  const norm = (layer: string, size: number) => variables.set(`${layer}.weight`, make.constant([size], 1));
  const linear = (layer: string, inputs: number, outputs: number, bias: boolean) => {
    variables.set(`${layer}.weight`, make.normal([outputs, inputs], shape.deviation));
    if (bias) variables.set(`${layer}.bias`, make.constant([outputs], 0));
  };

  variables.set("model.embed_tokens.weight", make.normal([vocabularySize, width], shape.deviation));
  for (let layer = 0; layer < layers; layer++) {
    const block = `model.layers.${layer}`;
    norm(`${block}.input_layernorm`, width);
    linear(`${block}.self_attn.q_proj`, width, heads * headSize, biases.queriesKeysValues);
    linear(`${block}.self_attn.k_proj`, width, keyHeads * headSize, biases.queriesKeysValues);
    linear(`${block}.self_attn.v_proj`, width, keyHeads * headSize, biases.queriesKeysValues);
    linear(`${block}.self_attn.o_proj`, heads * headSize, width, biases.output);
    if (queryKeyNorm) {
      norm(`${block}.self_attn.q_norm`, headSize);
      norm(`${block}.self_attn.k_norm`, headSize);
    }
    norm(`${block}.post_attention_layernorm`, width);
    linear(`${block}.mlp.gate_proj`, width, innerWidth, biases.dense);
    linear(`${block}.mlp.up_proj`, width, innerWidth, biases.dense);
    linear(`${block}.mlp.down_proj`, innerWidth, width, biases.dense);
  }
  norm("model.norm", width);
  if (!shape.tied) linear("lm_head", width, vocabularySize, false);
  return variables;
}
