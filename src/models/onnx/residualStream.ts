import type { OnnxGraph, Value } from "./onnxGraph.js";

/** What layers add to, [n, width]. A sum and the norm behind it are one operation, which onnxruntime has. */
export class ResidualStream {
  readonly #graph: OnnxGraph;
  readonly #epsilon: number;
  #states: Value;
  #pending: Value | undefined;

  constructor(graph: OnnxGraph, states: Value, epsilon: number) {
    this.#graph = graph;
    this.#states = states;
    this.#epsilon = epsilon;
  }

  /** The stream as it is. */
  get states(): Value {
    if (this.#pending !== undefined) this.#states = this.#graph.add("Add", [this.#states, this.#pending]);
    this.#pending = undefined;
    return this.#states;
  }

  add(update: Value): void {
    this.#states = this.states;
    this.#pending = update;
  }

  /** As `layerNorm` of `causal/normalisation.ts`. */
  layerNorm(weight: Value, bias: Value): Value {
    return this.#pending === undefined
      ? this.#graph.add("LayerNormalization", [this.#states, weight, bias], this.#attributes())
      : this.#normOfSum("SkipLayerNormalization", [weight, bias]);
  }

  /** As `rmsNorm` of `causal/normalisation.ts`. */
  rmsNorm(weight: Value): Value {
    return this.#pending === undefined
      ? rmsNorm(this.#graph, this.#states, weight, this.#epsilon)
      : this.#normOfSum("SkipSimplifiedLayerNormalization", [weight]);
  }

  #normOfSum(operation: string, weights: Value[]): Value {
    const inputs = [this.#states, this.#pending!, ...weights];
    const [normed, , , sum] = this.#graph.contributed(operation, inputs, 4, {
      epsilon: { float: this.#epsilon },
    });
    this.#states = sum!;
    this.#pending = undefined;
    return normed!;
  }

  #attributes() {
    return { axis: -1, epsilon: { float: this.#epsilon } };
  }
}

/** The norm over the last axis. */
export function rmsNorm(graph: OnnxGraph, states: Value, weight: Value, epsilon: number): Value {
  return graph.add("RMSNormalization", [states, weight], { axis: -1, epsilon: { float: epsilon } });
}
