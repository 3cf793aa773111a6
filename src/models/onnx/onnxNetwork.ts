import type { RotarySettings } from "../causal/rotaryFrequencies.js";
import type { CacheShape, GraphPass } from "./graphPass.js";
import type { GraphWeights } from "./graphWeights.js";
import type { OnnxGraph, Value } from "./onnxGraph.js";

/** A causal network that can be written as a graph: what its `compute` and `logits` do, operation for operation. */
export interface OnnxNetwork {
  readonly cache: CacheShape;
  /** Tokens of a row for which there are positions. */
  readonly longestRow: number;
  /** By layer: the most tokens that are seen, the own one included; infinity for all. */
  readonly windows: readonly number[];
  /** How positions become angles. Absent: they are looked up. */
  readonly rotary?: (RotarySettings & { readonly direction: 1 | -1 }) | undefined;
  /** Width of the states that `GraphPass.shifted` keeps. Absent: none. */
  readonly shiftedWidth?: number | undefined;
  /** Of the chosen tokens: [chosen, width]. */
  states(pass: GraphPass, weights: GraphWeights): Value;
  /** States [n, width] become logits [n, vocabulary]. */
  logits(graph: OnnxGraph, states: Value, weights: GraphWeights): Value;
}
