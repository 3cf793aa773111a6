export { TrainingContext, type TrainingContextInit } from "./trainingContext.js";
