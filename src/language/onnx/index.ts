// Loads TensorFlow.js, and onnxruntime only when `loadOnnxRuntime` is called.
export { INSTALL_LINE, loadOnnxRuntime, type PackageImporter } from "./loadOnnxRuntime.js";
export { OnnxLanguageModel, type OnnxLanguageModelOptions } from "./onnxLanguageModel.js";
export type { OnnxRuntime } from "./onnxRuntime.js";
