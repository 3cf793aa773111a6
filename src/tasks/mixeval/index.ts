export { type AnsweredPrompts, type AnswerPromptsOptions, answerPrompts } from "./answerPrompts.js";
export {
  type GeneratedResponses,
  type GenerateResponsesRequest,
  generateResponses,
} from "./generateResponses.js";
export { isBaseModel, promptOf, promptRequest, type QuestionForm, usualNewTokens } from "./questionForm.js";
