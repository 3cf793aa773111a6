import type { Gpt2Shape } from "./gpt2Shape.js";
import type { Initialiser } from "./initialValues.js";
import type { InitialVariable } from "./variableModel.js";

/**
 * The first values of a GPT-2's weights, by the names of the published checkpoints. Loads no TensorFlow.js.
 */
export function gpt2Weights(shape: Gpt2Shape, make: Initialiser): Map<string, InitialVariable> {
  const { vocabularySize, contextLength, width, layers, innerWidth, tied, deviation } = shape;
  const variables = new Map<string, InitialVariable>();
  const norm = (layer: string) => {
    variables.set(`${layer}.weight`, make.constant([width], 1));
    variables.set(`${layer}.bias`, make.constant([width], 0));
  };
  const dense = (layer: string, inputs: number, outputs: number, spread: number) => {
    variables.set(`${layer}.weight`, make.normal([inputs, outputs], spread));
    variables.set(`${layer}.bias`, make.constant([outputs], 0));
  };
  // As published: projections back into the stream are drawn smaller by the root of their number.
  const back = deviation / Math.sqrt(2 * layers);

  variables.set("transformer.wte.weight", make.normal([vocabularySize, width], deviation));
  variables.set("transformer.wpe.weight", make.normal([contextLength, width], deviation));
  for (let layer = 0; layer < layers; layer++) {
    const block = `transformer.h.${layer}`;
    norm(`${block}.ln_1`);
    dense(`${block}.attn.c_attn`, width, 3 * width, deviation);
    dense(`${block}.attn.c_proj`, width, width, back);
    norm(`${block}.ln_2`);
    dense(`${block}.mlp.c_fc`, width, innerWidth, deviation);
    dense(`${block}.mlp.c_proj`, innerWidth, width, back);
  }
  norm("transformer.ln_f");
  if (!tied) variables.set("lm_head.weight", make.normal([vocabularySize, width], deviation));
  return variables;
}
