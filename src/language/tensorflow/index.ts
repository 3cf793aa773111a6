// Loads TensorFlow.js; `../index.js` does not.
export { TfLanguageModel } from "./tfLanguageModel.js";
