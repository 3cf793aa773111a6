export { baseResponse } from "./baseResponse.js";
export { ClusteredMean } from "./clusteredMean.js";
export {
  constructPrompt,
  constructPromptFreeform,
  constructPromptMultichoice,
  type PromptRow,
} from "./constructPrompt.js";
export { FIVE_SHOT_PREFIX_FREEFORM, FIVE_SHOT_PREFIX_MULTIPLECHOICE } from "./fewShotPrefixes.js";
export { fewShotPrompt } from "./fewShotPrompt.js";
export { type HeldVerdict, heldVerdict } from "./heldVerdict.js";
export { HeldVerdicts } from "./heldVerdicts.js";
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
export { type OpenedParser, type OpenParserOptions, openParser } from "./openParser.js";
export {
  benchmarkNamed,
  judgeOfFile,
  kindOfRow,
  MIXEVAL_BENCHMARKS,
  type MixEvalBenchmark,
  placeFolder,
  type QuestionKind,
  type ResponsePlace,
  responseFileName,
  responsePlace,
  statusFileName,
} from "./publishedNames.js";
export {
  findRelease,
  MIXEVAL_REPOSITORY,
  type Release,
  type ReleaseRequest,
  type ReleaseSplit,
} from "./release.js";
export {
  MIXEVAL_PARSERS,
  type ParsedResponse,
  type ParserOptions,
  type ResponseParser,
  responseParser,
} from "./responseParser.js";
export { type LoggedRow, RowLog } from "./rowLog.js";
export { type Verdict, VerdictFiles } from "./verdictFiles.js";
