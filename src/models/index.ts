export { type Adaptation, adaptModel } from "./adaptModel.js";
export {
  type CausalModel,
  type EffectiveWeight,
  isCausalModel,
  type KeyValueCache,
  MOST_LOGITS,
  type TokenOptions,
} from "./causalModel.js";
export type {
  ForwardOptions,
  Model,
  ModelCheckRequest,
  ModelFactory,
  ModelFacts,
  ModelRequest,
} from "./model.js";
export { checkModel, createModel, modelCatalog, models } from "./models.js";
