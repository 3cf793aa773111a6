// Loads TensorFlow.js with the families; onnxruntime is not needed to write a graph.
export { type CausalGraph, causalGraph, headGraph } from "./causalGraph.js";
export { causalNetwork } from "./causalNetwork.js";
export type { GraphEnd } from "./graphEnd.js";
export { type CacheShape, type GraphForm, type GraphPass, maskName } from "./graphPass.js";
export type { GraphWeights } from "./graphWeights.js";
export type { OnnxGraph, Value } from "./onnxGraph.js";
export type { OnnxNetwork } from "./onnxNetwork.js";
