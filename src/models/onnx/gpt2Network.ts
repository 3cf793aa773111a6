import type { Gpt2Shape } from "../gpt2Shape.js";
import { graphActivation } from "./graphActivation.js";
import type { GraphPass } from "./graphPass.js";
import type { GraphWeights } from "./graphWeights.js";
import type { Value } from "./onnxGraph.js";
import type { OnnxNetwork } from "./onnxNetwork.js";
import { ResidualStream } from "./residualStream.js";

/** GPT-2 as `Gpt2` has it. */
export function gpt2Network(shape: Gpt2Shape): OnnxNetwork {
  const { layers, heads, width, contextLength, tied } = shape;
  return {
    cache: { layers, keyHeads: heads, headSize: width / heads },
    longestRow: contextLength,
    windows: Array.from({ length: layers }, () => Number.POSITIVE_INFINITY),
    states: (pass, weights) => states(shape, pass, weights),
    logits: (graph, normed, weights) =>
      graph.add("Gemm", [normed, weights.of(tied ? "transformer.wte.weight" : "lm_head.weight")], {
        transB: 1,
      }),
  };
}

function states(shape: Gpt2Shape, pass: GraphPass, weights: GraphWeights): Value {
  const { graph } = pass;
  const embedded = graph.add("Add", [
    weights.embed(pass.tokens, "transformer.wte.weight"),
    weights.embed(pass.positions, "transformer.wpe.weight"),
  ]);
  const stream = new ResidualStream(graph, pass.flat(embedded, shape.width), shape.normEpsilon);
  const normed = (layer: string) =>
    stream.layerNorm(weights.of(`${layer}.weight`), weights.of(`${layer}.bias`));
  for (let layer = 0; layer < shape.layers; layer++) {
    const block = `transformer.h.${layer}`;
    const mixed = attention(shape, { layer, states: normed(`${block}.ln_1`) }, pass, weights);
    if (pass.isLast(layer)) stream.narrow((all) => pass.chosen(all));
    stream.add(mixed);
    const inner = weights.linear(normed(`${block}.ln_2`), `${block}.mlp.c_fc`, "in-out");
    const active = graphActivation(graph, shape.activation, inner);
    stream.add(weights.linear(active, `${block}.mlp.c_proj`, "in-out"));
  }
  return normed("transformer.ln_f");
}

function attention(
  { heads, width, scaleScores, scaleByLayer }: Gpt2Shape,
  { layer, states: normed }: { layer: number; states: Value },
  pass: GraphPass,
  weights: GraphWeights,
): Value {
  const block = `transformer.h.${layer}.attn`;
  const joined = weights.linear(normed, `${block}.c_attn`, "in-out");
  const [queries, keys, values] = pass.graph.several("Split", [joined], 3, { axis: 1, num_outputs: 3 }) as [
    Value,
    Value,
    Value,
  ];
  const scale = (scaleScores ? 1 / Math.sqrt(width / heads) : 1) / (scaleByLayer ? layer + 1 : 1);
  const mixed = pass.attend({
    layer,
    queries,
    keys,
    values,
    heads,
    scale,
    window: Number.POSITIVE_INFINITY,
  });
  return weights.linear(mixed, `${block}.c_proj`, "in-out");
}
