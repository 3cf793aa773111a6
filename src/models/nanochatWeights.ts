import type { Initialiser } from "./initialValues.js";
import type { NanochatShape } from "./nanochatShape.js";
import type { InitialVariable } from "./variableModel.js";

/** Numbers of a state that its gates look at. */
export const SMEAR_INPUTS = 24;
export const VALUE_GATE_INPUTS = 12;

/**
 * The first values of a nanochat's weights, by the names of its checkpoints. Loads no TensorFlow.js.
 */
export function nanochatWeights(shape: NanochatShape, make: Initialiser): Map<string, InitialVariable> {
  const { vocabularySize, width, layers, heads, keyHeads } = shape;
  const rows = paddedVocabulary(vocabularySize);
  const keyWidth = (keyHeads * width) / heads;
  const limit = Math.sqrt(3 / width);
  const along = (from: number, to: number): InitialVariable => ({
    shape: [layers],
    values: Float32Array.from(
      { length: layers },
      (_, layer) => from + ((to - from) * layer) / Math.max(layers - 1, 1),
    ),
  });
  const variables = new Map<string, InitialVariable>([
    ["resid_lambdas", along(1.15, 1.05)],
    ["x0_lambdas", along(0.2, 0.05)],
    ["smear_lambda", make.constant([1], 0)],
    ["backout_lambda", make.constant([1], 0.2)],
    ["transformer.wte.weight", make.normal([rows, width], 0.8)],
  ]);
  for (let layer = 0; layer < layers; layer++) {
    const block = `transformer.h.${layer}`;
    variables.set(`${block}.attn.c_q.weight`, make.uniform([width, width], limit));
    variables.set(`${block}.attn.c_k.weight`, make.uniform([keyWidth, width], limit));
    variables.set(`${block}.attn.c_v.weight`, make.uniform([keyWidth, width], limit));
    variables.set(`${block}.attn.c_proj.weight`, make.constant([width, width], 0));
    if (hasValueEmbeddings(shape, layer)) {
      variables.set(`${block}.attn.ve_gate.weight`, make.uniform([keyHeads, VALUE_GATE_INPUTS], 0.01, 0.01));
    }
    variables.set(`${block}.mlp.c_fc.weight`, make.uniform([4 * width, width], 0.4 * limit));
    variables.set(`${block}.mlp.c_proj.weight`, make.constant([width, 4 * width], 0));
  }
  variables.set("lm_head.weight", make.normal([rows, width], 0.001));
  for (let layer = 0; layer < layers; layer++) {
    if (!hasValueEmbeddings(shape, layer)) continue;
    variables.set(`value_embeds.${layer}.weight`, make.uniform([rows, keyWidth], limit));
  }
  variables.set("smear_gate.weight", make.uniform([1, SMEAR_INPUTS], 0.01, 0.01));
  return variables;
}

/** Rows of the embedding tables and of the head. */
function paddedVocabulary(vocabularySize: number): number {
  return Math.ceil(vocabularySize / 64) * 64;
}

/** Every second layer, the last among them. */
export function hasValueEmbeddings({ layers }: NanochatShape, layer: number): boolean {
  return layer % 2 === (layers - 1) % 2;
}
