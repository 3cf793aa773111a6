// Loads TensorFlow.js; `../index.js` does not.
export { TfLanguageModel, type TfLanguageModelOptions } from "./tfLanguageModel.js";
