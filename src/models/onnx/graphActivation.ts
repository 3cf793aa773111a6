import type { ActivationName } from "../causal/activationNames.js";
import type { OnnxGraph, Value } from "./onnxGraph.js";

/** The function of that name, as `causal/activations.ts` has it. */
export function graphActivation(graph: OnnxGraph, name: ActivationName, states: Value): Value {
  return FUNCTIONS[name](graph, states);
}

type GraphFunction = (graph: OnnxGraph, states: Value) => Value;

const tanhGelu: GraphFunction = (graph, states) => graph.add("Gelu", [states], { approximate: "tanh" });
const relu: GraphFunction = (graph, states) => graph.add("Relu", [states]);
/** x sigmoid(alpha x) */
const sigmoidGated =
  (alpha: number): GraphFunction =>
  (graph, states) =>
    graph.contributed("QuickGelu", [states], 1, { alpha: { float: alpha } })[0]!;

const FUNCTIONS: Readonly<Record<ActivationName, GraphFunction>> = {
  gelu: (graph, states) => graph.add("Gelu", [states]),
  gelu_new: tanhGelu,
  gelu_fast: tanhGelu,
  gelu_pytorch_tanh: tanhGelu,
  quick_gelu: sigmoidGated(1.702),
  relu,
  relu2: (graph, states) => {
    const positive = relu(graph, states);
    return graph.add("Mul", [positive, positive]);
  },
  silu: sigmoidGated(1),
  swish: sigmoidGated(1),
};
