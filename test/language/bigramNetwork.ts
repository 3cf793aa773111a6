import type { OnnxNetwork } from "../../src/models/onnx/index.js";
import { CONTEXT_LENGTH, tokenizer } from "./bigram.js";

/** The model of `bigram.ts` as a graph: rows of its table. */
export const bigramNetwork: OnnxNetwork = {
  cache: { layers: 0, keyHeads: 1, headSize: 1 },
  longestRow: CONTEXT_LENGTH,
  windows: [],
  states: (pass, weights) =>
    pass.chosen(pass.flat(weights.embed(pass.tokens, "table"), tokenizer.vocabularySize)),
  logits: (graph, states) => graph.add("Identity", [states]),
};
