export { baseResponse } from "./baseResponse.js";
export {
  constructPrompt,
  constructPromptFreeform,
  constructPromptMultichoice,
  type PromptRow,
} from "./constructPrompt.js";
export { FIVE_SHOT_PREFIX_FREEFORM, FIVE_SHOT_PREFIX_MULTIPLECHOICE } from "./fewShotPrefixes.js";
export { type JudgeParserOptions, judgeParser } from "./judgeParser.js";
export { judgedOption, judgedScore, judgeMessages } from "./judgeProtocol.js";
export { type QuestionFile, type ResponseFile, readQuestions, readResponses } from "./mixEvalFiles.js";
export {
  isChoice,
  type MixEvalResponse,
  type MixEvalRow,
  mixEvalRowSchema,
  optionLetters,
} from "./mixEvalRow.js";
export { type BenchmarkScore, MixEvalScores, questionKey } from "./mixEvalScores.js";
export {
  MIXEVAL_PARSERS,
  type ParsedResponse,
  type ParserOptions,
  type ResponseParser,
  responseParser,
} from "./responseParser.js";
