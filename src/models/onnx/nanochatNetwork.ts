import { CAP, EPSILON, ROTARY_BASE, SHARPNESS, windowOf } from "../nanochat.js";
import { LONGEST_CONTEXTS } from "../nanochatPositions.js";
import type { NanochatShape } from "../nanochatShape.js";
import { hasValueEmbeddings, SMEAR_INPUTS, VALUE_GATE_INPUTS } from "../nanochatWeights.js";
import { graphActivation } from "./graphActivation.js";
import type { GraphPass } from "./graphPass.js";
import type { GraphWeights } from "./graphWeights.js";
import type { OnnxGraph, Value } from "./onnxGraph.js";
import type { OnnxNetwork } from "./onnxNetwork.js";
import { rmsNorm } from "./residualStream.js";

/** nanochat's GPT as `Nanochat` has it. */
export function nanochatNetwork(shape: NanochatShape): OnnxNetwork {
  const { layers, keyHeads, width, heads, contextLength, vocabularySize } = shape;
  const headSize = width / heads;
  return {
    cache: { layers, keyHeads, headSize },
    longestRow: LONGEST_CONTEXTS * contextLength,
    windows: Array.from({ length: layers }, (_, layer) => windowOf(shape, layer)),
    rotary: { size: headSize, base: ROTARY_BASE, scaling: { type: "default" }, direction: -1 },
    shiftedWidth: width,
    states: (pass, weights) => states(shape, pass, weights),
    logits: (graph, normed, weights) => {
      // The table has more rows than there are tokens.
      const table = slice(graph, weights.of("lm_head.weight"), { axis: 0, end: vocabularySize });
      const cap = graph.floats([], [CAP]);
      const free = graph.add("Gemm", [normed, table], { transB: 1 });
      return graph.add("Mul", [graph.add("Tanh", [graph.add("Div", [free, cap])]), cap]);
    },
  };
}

function states(shape: NanochatShape, pass: GraphPass, weights: GraphWeights): Value {
  const { layers, width } = shape;
  const { graph } = pass;
  const embedded = pass.flat(weights.embed(pass.tokens, "transformer.wte.weight"), width);
  const first = smeared(norm(graph, embedded, width), shape, pass, weights);
  const lambda = (name: string, layer: number) =>
    slice(graph, weights.of(name), { axis: 0, start: layer, end: layer + 1 });
  let stream = first;
  let middle = first;
  for (let layer = 0; layer < layers; layer++) {
    const block = `transformer.h.${layer}.mlp`;
    stream = graph.add("Add", [
      graph.add("Mul", [stream, lambda("resid_lambdas", layer)]),
      graph.add("Mul", [first, lambda("x0_lambdas", layer)]),
    ]);
    const mixed = attention(shape, { layer, states: norm(graph, stream, width) }, pass, weights);
    if (pass.isLast(layer)) {
      stream = pass.chosen(stream);
      if (layer > Math.floor(layers / 2)) middle = pass.chosen(middle);
    }
    stream = graph.add("Add", [stream, mixed]);
    const inner = weights.linear(norm(graph, stream, width), `${block}.c_fc`);
    const dense = weights.linear(graphActivation(graph, "relu2", inner), `${block}.c_proj`);
    stream = graph.add("Add", [stream, dense]);
    if (layer === Math.floor(layers / 2)) middle = stream;
  }
  const backed = graph.add("Mul", [middle, weights.of("backout_lambda")]);
  return norm(graph, graph.add("Sub", [stream, backed]), width);
}

function smeared(embedded: Value, { width }: NanochatShape, pass: GraphPass, weights: GraphWeights): Value {
  const { graph } = pass;
  const seen = slice(graph, embedded, { axis: 1, end: SMEAR_INPUTS });
  const gate = graph.add("Sigmoid", [weights.linear(seen, "smear_gate")]);
  const share = graph.add("Mul", [gate, weights.of("smear_lambda")]);
  return graph.add("Add", [embedded, graph.add("Mul", [share, pass.shifted(embedded, width)])]);
}

function attention(
  shape: NanochatShape,
  { layer, states: normed }: { layer: number; states: Value },
  pass: GraphPass,
  weights: GraphWeights,
): Value {
  const { heads, keyHeads, width } = shape;
  const { graph } = pass;
  const headSize = width / heads;
  const block = `transformer.h.${layer}.attn`;
  const sharpened = (kind: "q" | "k", count: number) => {
    const turned = pass.rotate(weights.linear(normed, `${block}.c_${kind}`), count);
    const even = norm(graph, pass.flat(turned, headSize), headSize, SHARPNESS);
    return pass.flat(even, count * headSize);
  };
  const mixed = pass.attend({
    layer,
    queries: sharpened("q", heads),
    keys: sharpened("k", keyHeads),
    values: valuesOf(shape, { layer, states: normed }, pass, weights),
    heads,
    scale: 1 / Math.sqrt(headSize),
    window: windowOf(shape, layer),
  });
  return weights.linear(mixed, `${block}.c_proj`);
}

function valuesOf(
  shape: NanochatShape,
  { layer, states: normed }: { layer: number; states: Value },
  pass: GraphPass,
  weights: GraphWeights,
): Value {
  const { graph } = pass;
  const { keyHeads, heads, width } = shape;
  const block = `transformer.h.${layer}.attn`;
  const values = weights.linear(normed, `${block}.c_v`);
  if (!hasValueEmbeddings(shape, layer)) return values;
  const seen = slice(graph, normed, { axis: 1, end: VALUE_GATE_INPUTS });
  const gates = graph.add("Mul", [
    graph.add("Sigmoid", [weights.linear(seen, `${block}.ve_gate`)]),
    graph.floats([], [3]),
  ]);
  const headSize = width / heads;
  // One gate for each head: [tokens, key heads, 1] times [tokens, key heads, head size].
  const embedded = graph.add("Reshape", [
    weights.embed(pass.tokens, `value_embeds.${layer}.weight`),
    graph.integers(-1, keyHeads, headSize),
  ]);
  const gated = graph.add("Mul", [embedded, graph.add("Reshape", [gates, graph.integers(-1, keyHeads, 1)])]);
  return graph.add("Add", [values, pass.flat(gated, keyHeads * headSize)]);
}

/** The norm that has no weight of its own; a weight of `length` stands in for a factor. */
function norm(graph: OnnxGraph, values: Value, width: number, length = 1): Value {
  const weight = graph.floats([width], new Array<number>(width).fill(length));
  return rmsNorm(graph, values, weight, EPSILON);
}

function slice(
  graph: OnnxGraph,
  value: Value,
  { axis, start = 0, end }: { axis: number; start?: number; end: number },
): Value {
  const bounds = [start, end, axis].map((number) => graph.integers(number));
  return graph.add("Slice", [value, ...bounds]);
}
