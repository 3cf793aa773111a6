export { AccuracyAggregation } from "./aggregation/accuracy.js";
export { RunningMean } from "./aggregation/runningMean.js";
export { defineScorer, type ScorerDefinition } from "./defineScorer.js";
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
export { detectLanguage, detectLanguages, type LikelyLanguage } from "./languages/index.js";
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
export type {
  Judgement,
  RowScore,
  ScoreAggregation,
  Scorer,
  ScorerMetrics,
  ScorerRow,
  Scoring,
} from "./scorer.js";
export { scorers } from "./scorers.js";
export { splitSentences, wordTokens } from "./sentences/index.js";
