import { type GraphForm, GraphPass, type PassOutputs } from "./graphPass.js";
import { GraphWeights } from "./graphWeights.js";
import { OnnxGraph, type Value } from "./onnxGraph.js";
import type { OnnxNetwork } from "./onnxNetwork.js";

/** A model file of a network, without the network's weights: they are inputs like the tokens. */
export interface CausalGraph {
  readonly bytes: Uint8Array;
  /** Names of all inputs. */
  readonly inputs: ReadonlySet<string>;
  /** Those of them that are weights. */
  readonly weights: ReadonlySet<string>;
  readonly outputs: PassOutputs & {
    /** Of the chosen tokens: [chosen, width]. */
    readonly states: Value;
    /** Of the rows of `states` that the input `heads` int64 [heads] names: [heads, vocabulary]. */
    readonly logits: Value;
  };
}

/** The graph that reads tokens, with inputs as `GraphPass` has them. @param shapes of the weights, by name */
export function causalGraph(
  network: OnnxNetwork,
  shapes: ReadonlyMap<string, readonly number[]>,
  form: GraphForm,
): CausalGraph {
  const graph = new OnnxGraph();
  const weights = new GraphWeights(graph, shapes);
  const pass = new GraphPass(graph, form, network.cache);
  const states = network.states(pass, weights);
  graph.output(states, ["chosen", "width"]);
  const heads = graph.add("Gather", [states, graph.input("heads", "int64", ["heads"])]);
  const logits = network.logits(graph, heads, weights);
  graph.output(logits, ["heads", "vocabulary"]);
  return {
    bytes: graph.encode(form),
    inputs: graph.inputs,
    weights: weights.used,
    outputs: { ...pass.outputs, states, logits },
  };
}

/** The graph of the last step alone: `states` [places, width] become logits. */
export function headGraph(
  network: OnnxNetwork,
  shapes: ReadonlyMap<string, readonly number[]>,
): Omit<CausalGraph, "outputs"> & { readonly logits: Value } {
  const graph = new OnnxGraph();
  const weights = new GraphWeights(graph, shapes);
  const logits = network.logits(graph, graph.input("states", "float32", ["places", "width"]), weights);
  graph.output(logits, ["places", "vocabulary"]);
  return { bytes: graph.encode("head"), inputs: graph.inputs, weights: weights.used, logits };
}
