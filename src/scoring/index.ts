export { AccuracyAggregation } from "./aggregation/accuracy.js";
export { type AggregationFunction, aggregations } from "./aggregation/aggregations.js";
export type { IntervalOptions } from "./aggregation/bootstrap.js";
export { MeanAggregation } from "./aggregation/mean.js";
export {
  type AggregationParams,
  aggregationParams,
  NamedAggregations,
} from "./aggregation/namedAggregations.js";
export { RunningMean } from "./aggregation/runningMean.js";
export {
  AggregateScorer,
  BaseScorer,
  type EvalResult,
  type ScorerCard,
  type SingleEvalResult,
  scorerOf,
} from "./baseScorer.js";
export { defineScorer, type HoldingScorerDefinition, type ScorerDefinition } from "./defineScorer.js";
export {
  ACCURACIES,
  type CheckOptions,
  checkInstructions,
  IfevalAccuracies,
  type IfevalMetrics,
  INSTRUCTION_IDS,
  type InstructionAccuracy,
  type InstructionRequest,
  type InstructionVerdicts,
  ifevalRequest,
  type JudgedInstructions,
} from "./ifeval/index.js";
export type {
  AskJudge,
  JudgeAnswer,
  JudgeMessage,
  JudgeModel,
  JudgeModels,
  JudgeOptions,
} from "./judge/judgeModel.js";
export type { JudgePreset } from "./judge/judgeParams.js";
export { type JudgeScorerInit, judgeScorer } from "./judge/judgeScorer.js";
export { filledTemplate } from "./judge/template.js";
export { detectLanguage, detectLanguages, type LikelyLanguage } from "./languages/index.js";
export { mapInOrder } from "./mapInOrder.js";
export {
  boxedContent,
  equalMathematics,
  type Mathematics,
  type MathematicsOptions,
  normalizeLatex,
  parseMathematics,
  percent,
  readArithmetic,
  readNumber,
  sameMathematics,
} from "./mathematics/index.js";
export {
  type BenchmarkScore,
  baseResponse,
  benchmarkNamed,
  ClusteredMean,
  constructPrompt,
  constructPromptFreeform,
  constructPromptMultichoice,
  FIVE_SHOT_PREFIX_FREEFORM,
  FIVE_SHOT_PREFIX_MULTIPLECHOICE,
  fewShotPrompt,
  findRelease,
  type HeldVerdict,
  HeldVerdicts,
  heldVerdict,
  isChoice,
  type JudgeParserOptions,
  judgedOption,
  judgedScore,
  judgeMessages,
  judgeOfFile,
  judgeParser,
  kindOfRow,
  type LoggedRow,
  MIXEVAL_BENCHMARKS,
  MIXEVAL_PARSERS,
  MIXEVAL_REPOSITORY,
  type MixEvalBenchmark,
  type MixEvalResponse,
  type MixEvalRow,
  MixEvalScores,
  mixEvalRowSchema,
  type OpenedParser,
  type OpenParserOptions,
  openParser,
  optionLetters,
  type ParsedResponse,
  type ParserOptions,
  type PromptRow,
  placeFolder,
  type QuestionFile,
  type QuestionKind,
  questionKey,
  type Release,
  type ReleaseRequest,
  type ReleaseSplit,
  type ResponseFile,
  type ResponseParser,
  type ResponsePlace,
  RowLog,
  readQuestions,
  readResponses,
  responseFileName,
  responseParser,
  responsePlace,
  statusFileName,
  type Verdict,
  VerdictFiles,
} from "./mixeval/index.js";
export type { AnswerParser } from "./parsers/answerParser.js";
export { choiceLetter } from "./parsers/choiceLetter.js";
export { parsers } from "./parsers/parsers.js";
export { rankCorrelation } from "./rankCorrelation.js";
export type {
  Judgement,
  NamedResults,
  RowScore,
  ScoreAggregation,
  Scorer,
  ScorerMetrics,
  ScorerRow,
  Scoring,
  ScoringSurroundings,
  ScoringWork,
} from "./scorer.js";
export { scorers } from "./scorers.js";
export { splitSentences, wordTokens } from "./sentences/index.js";
export {
  type OpenedScoringThreads,
  openScoringThreads,
  usualThreads,
} from "./threads/openScoringThreads.js";
export type { ScoringThreads } from "./threads/scoringThreads.js";
