// What a model written in code builds on. Importing this loads TensorFlow.js; `./index.js` does not.

export { readCheckpointWeights } from "../weights/index.js";
export { type Adaptation, adaptModel } from "./adaptModel.js";
export type { ForwardPass } from "./causal/forwardPass.js";
export { type Block, VariableCausalModel } from "./causal/variableCausalModel.js";
export { type CausalModel, isCausalModel } from "./causalModel.js";
export { modelFromLayers } from "./fromLayers.js";
export { loadAdapter, saveAdapter } from "./huggingFace/adapterFiles.js";
export { mergedWeights } from "./huggingFace/mergedWeights.js";
export { loadPretrained, savePretrained } from "./huggingFace/pretrained.js";
export { drawnValues, glorotUniform, heNormal, type Initialiser, zeros } from "./initialValues.js";
export { BATCH_NORM, type BatchNormSettings, LayeredModel } from "./layeredModel.js";
export { LayerValues } from "./layerValues.js";
export { createModel } from "./models.js";
export { type InitialVariable, VariableModel } from "./variableModel.js";
