// What a model written in code builds on. Importing this loads TensorFlow.js; `./index.js` does not.
export { modelFromLayers } from "./fromLayers.js";
export { glorotUniform, heNormal, zeros } from "./initialValues.js";
export { type InitialVariable, VariableModel } from "./variableModel.js";
