import type { LlamaShape } from "../llamaShape.js";
import { graphActivation } from "./graphActivation.js";
import type { GraphPass } from "./graphPass.js";
import type { GraphWeights } from "./graphWeights.js";
import type { Value } from "./onnxGraph.js";
import type { OnnxNetwork } from "./onnxNetwork.js";
import { ResidualStream, rmsNorm } from "./residualStream.js";

/** The Llama family as `Llama` has it. */
export function llamaNetwork(shape: LlamaShape): OnnxNetwork {
  const { layers, keyHeads, headSize, windows, rotary, tied } = shape;
  return {
    cache: { layers, keyHeads, headSize },
    longestRow: Number.POSITIVE_INFINITY,
    windows,
    rotary: { ...rotary, direction: 1 },
    states: (pass, weights) => states(shape, pass, weights),
    logits: (graph, normed, weights) =>
      graph.add("Gemm", [normed, weights.of(tied ? "model.embed_tokens.weight" : "lm_head.weight")], {
        transB: 1,
      }),
  };
}

function states(shape: LlamaShape, pass: GraphPass, weights: GraphWeights): Value {
  const { graph } = pass;
  const embedded = pass.flat(weights.embed(pass.tokens, "model.embed_tokens.weight"), shape.width);
  const stream = new ResidualStream(graph, embedded, shape.normEpsilon);
  const normed = (layer: string) => stream.rmsNorm(weights.of(`${layer}.weight`));
  for (let layer = 0; layer < shape.layers; layer++) {
    const block = `model.layers.${layer}`;
    const mixed = attention(shape, { layer, states: normed(`${block}.input_layernorm`) }, pass, weights);
    if (pass.isLast(layer)) stream.narrow((all) => pass.chosen(all));
    stream.add(mixed);
    const inner = normed(`${block}.post_attention_layernorm`);
    const gate = graphActivation(graph, shape.activation, weights.linear(inner, `${block}.mlp.gate_proj`));
    const gated = graph.add("Mul", [gate, weights.linear(inner, `${block}.mlp.up_proj`)]);
    stream.add(weights.linear(gated, `${block}.mlp.down_proj`));
  }
  return normed("model.norm");
}

function attention(
  shape: LlamaShape,
  { layer, states: normed }: { layer: number; states: Value },
  pass: GraphPass,
  weights: GraphWeights,
): Value {
  const { heads, keyHeads, headSize, windows, normEpsilon } = shape;
  const block = `model.layers.${layer}.self_attn`;
  const turned = (kind: "q" | "k", count: number) => {
    const projected = weights.linear(normed, `${block}.${kind}_proj`);
    if (!shape.queryKeyNorm) return pass.rotate(projected, count);
    const byHead = pass.flat(projected, headSize);
    const even = rmsNorm(pass.graph, byHead, weights.of(`${block}.${kind}_norm.weight`), normEpsilon);
    return pass.rotate(pass.flat(even, count * headSize), count);
  };
  const mixed = pass.attend({
    layer,
    queries: turned("q", heads),
    keys: turned("k", keyHeads),
    values: weights.linear(normed, `${block}.v_proj`),
    heads,
    scale: 1 / Math.sqrt(headSize),
    window: windows[layer]!,
  });
  return weights.linear(mixed, `${block}.o_proj`);
}
