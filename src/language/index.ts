// Loads no TensorFlow.js: `tensorflow/index.js` does, for `TfLanguageModel`.
export { AnswerFile, type AnswerFileOptions } from "./answers/answerFile.js";
export { KeptAnswers } from "./answers/keptAnswers.js";
export { prefixToken } from "./beginToken.js";
export { EndpointLanguageModel } from "./endpoint/endpointLanguageModel.js";
export { type EndpointEnvironment, type EndpointSettings, endpointKey } from "./endpoint/endpointSettings.js";
export type {
  Generation,
  GenerationOptions,
  GenerationRequest,
  GenerationSettings,
  Prompt,
} from "./generation.js";
export { GenerationRow, promptTokens } from "./generationRow.js";
export type { ForwardRequestOptions, LanguageModel, TokenLogits } from "./languageModel.js";
export { type LanguageEngine, type LanguageModelOptions, languageModelOf } from "./languageModelOf.js";
export {
  type LoadLanguageModelOptions,
  LocalLanguageModel,
  loadLanguageModel,
} from "./loadLanguageModel.js";
export type { PassOptions } from "./passes/readerEngine.js";
export {
  type EndpointReference,
  type ModelReference,
  modelReferenceSchema,
  type PretrainedReference,
  parseModelReference,
  type RunReference,
} from "./references/modelReference.js";
export type { ModelSurroundings } from "./references/modelSurroundings.js";
export type { OpenedModel } from "./references/openedModel.js";
export { openModel, referenceName } from "./references/openModel.js";
export { openRunTokenizer } from "./references/openRunTokenizer.js";
export { type RecordedModelRequest, recordedModel } from "./references/recordedModel.js";
export type {
  LogLikelihood,
  LogLikelihoodOptions,
  LogLikelihoodRequest,
  RollingLogLikelihood,
  RollingOptions,
  TextOptions,
} from "./scoring.js";
export { type Script, ScriptedLanguageModel } from "./scriptedLanguageModel.js";
export { type TokenEngine, TokenLanguageModel, type TokenScores } from "./tokenLanguageModel.js";
export { type TokenRow, tokenRows } from "./tokenRows.js";
