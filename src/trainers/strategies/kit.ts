// The default strategies as classes, to assemble a trainer from in code. Importing this loads TensorFlow.js;
// `./index.js` does not.
export { AccuracyTesting } from "./accuracyTesting.js";
export { AdamStrategy } from "./adam.js";
export { AdamWStrategy } from "./adamW.js";
export { ConstantStrategy } from "./constantSchedule.js";
export { CosineStrategy } from "./cosineSchedule.js";
export { CrossEntropyLoss } from "./crossEntropyLoss.js";
export { DefaultTrainingStep } from "./defaultTrainingStep.js";
export { languageStrategies } from "./languageStrategies.js";
export { MseLoss } from "./mseLoss.js";
export { MseTesting } from "./mseTesting.js";
export { NoModelUpdate } from "./noModelUpdate.js";
export { type ParameterGroup, ParameterGroups } from "./parameterGroups.js";
export { PerplexityTesting } from "./perplexityTesting.js";
export { SgdStrategy } from "./sgd.js";
export { ShuffledLoader } from "./shuffledLoader.js";
export { StepStrategy } from "./stepSchedule.js";
export { WarmUpStrategy } from "./warmUpSchedule.js";
