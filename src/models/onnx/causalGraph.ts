import { type GraphEnd, graphEnd } from "./graphEnd.js";
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
    /** As `graphEnd` has them, of the rows of `states` that the input `heads` int64 [heads] names. */
    readonly ends: readonly Value[];
  };
}

/** The graph that reads tokens, with inputs as `GraphPass` has them. @param shapes of the weights, by name */
export function causalGraph(
  network: OnnxNetwork,
  shapes: ReadonlyMap<string, readonly number[]>,
  { form, end }: { form: GraphForm; end: GraphEnd },
): CausalGraph {
  const graph = new OnnxGraph();
  const weights = new GraphWeights(graph, shapes);
  const pass = new GraphPass(graph, form, network.cache);
  const states = network.states(pass, weights);
  graph.output(states, ["chosen", "width"]);
  const heads = graph.add("Gather", [states, graph.input("heads", "int64", ["heads"])]);
  const ends = graphEnd(graph, network, heads, { weights, end });
  return {
    bytes: graph.encode(`${form}.${end}`),
    inputs: graph.inputs,
    weights: weights.used,
    outputs: { ...pass.outputs, states, ends },
  };
}

/** The graph of the last step alone, from `states` [heads, width] on. */
export function headGraph(
  network: OnnxNetwork,
  shapes: ReadonlyMap<string, readonly number[]>,
  end: GraphEnd,
): Omit<CausalGraph, "outputs"> & { readonly ends: readonly Value[] } {
  const graph = new OnnxGraph();
  const weights = new GraphWeights(graph, shapes);
  const states = graph.input("states", "float32", ["heads", "width"]);
  const ends = graphEnd(graph, network, states, { weights, end });
  return { bytes: graph.encode(`head.${end}`), inputs: graph.inputs, weights: weights.used, ends };
}
