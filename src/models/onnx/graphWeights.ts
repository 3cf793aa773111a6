import type { OnnxGraph, Value } from "./onnxGraph.js";

/** A network's weights as inputs of a graph, so that the graph stays when they change. */
export class GraphWeights {
  readonly #graph: OnnxGraph;
  readonly #shapes: ReadonlyMap<string, readonly number[]>;
  readonly #used = new Set<string>();

  /** @param shapes by weight name */
  constructor(graph: OnnxGraph, shapes: ReadonlyMap<string, readonly number[]>) {
    this.#graph = graph;
    this.#shapes = shapes;
  }

  /** Names of the weights that the graph asks for. */
  get used(): ReadonlySet<string> {
    return this.#used;
  }

  /** @throws Error for a name the network does not have */
  of(name: string): Value {
    const shape = this.#shapes.get(name);
    if (!shape) throw new Error(`the network has no weight named ${name}`);
    this.#used.add(name);
    return this.#graph.input(name, "float32", shape);
  }

  /**
   * states weight^T + bias, where the layer has one; states are [n, inputs].
   * @param stored how the weight lies: [outputs, inputs], as PyTorch has it, or [inputs, outputs], as GPT-2 has it
   */
  linear(states: Value, layer: string, stored: "out-in" | "in-out" = "out-in"): Value {
    const bias = `${layer}.bias`;
    return this.#graph.add(
      "Gemm",
      [states, this.of(`${layer}.weight`), ...(this.#shapes.has(bias) ? [this.of(bias)] : [])],
      { transB: stored === "out-in" ? 1 : 0 },
    );
  }

  /** Rows of a table, by token or position; `axes` as the index has them, and one more. */
  embed(index: Value, table: string): Value {
    return this.#graph.add("Gather", [this.of(table), index]);
  }
}
