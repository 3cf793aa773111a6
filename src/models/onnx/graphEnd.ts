import type { GraphWeights } from "./graphWeights.js";
import type { OnnxGraph, Value } from "./onnxGraph.js";
import { elementCode } from "./onnxMessages.js";
import type { OnnxNetwork } from "./onnxNetwork.js";

/**
 * What a graph gives out in the end. `logits`: as they are. `scores`: how likely some tokens are, and which is the most
 * likely; all logits would be copied out of onnxruntime, of a large vocabulary for longer than they take to compute.
 */
export type GraphEnd = "logits" | "scores";

/**
 * The last step, from `states` [n, width] on: outputs
 * - `logits`: float32 [n, vocabulary]
 * - `scores`: float32 [asked], natural logarithms of probabilities after the rows and of the tokens that the input `asked`
 *   int64 [asked, 2] names in pairs; int32 [n, 1], the token with the largest logit, the first of equals. A row with a
 *   logit that is no number has probabilities that are none.
 */
export function graphEnd(
  graph: OnnxGraph,
  network: OnnxNetwork,
  states: Value,
  { weights, end }: { weights: GraphWeights; end: GraphEnd },
): Value[] {
  const logits = network.logits(graph, states, weights);
  if (end === "logits") {
    graph.output(logits, ["heads", "vocabulary"]);
    return [logits];
  }
  const all = graph.add("LogSoftmax", [logits], { axis: -1 });
  const asked = graph.add("GatherND", [all, graph.input("asked", "int64", ["asked", 2])]);
  const [, place] = graph.several("TopK", [logits, graph.integers(1)], 2, { axis: -1 });
  const best = graph.add("Cast", [place!], { to: elementCode("int32") });
  graph.output(asked, ["asked"]);
  graph.output(best, ["heads", 1], "int32");
  return [asked, best];
}
