import type { Fault } from "../fault.js";

/** Faults of `scoring`. */
export const scoring: readonly Fault[] = [
  {
    name: "stars kept in loose wordings",
    file: "scoring/ifeval/looseVariants.ts",
    from: 'wording.replaceAll("*", "")',
    to: "wording",
    test: "scoring/checkInstructions.test.ts",
    only: "each with and without stars",
  },
  {
    name: "words of ASCII only",
    file: "scoring/python/patternTranslation.ts",
    from: 'const WORD = "\\\\p{L}\\\\p{N}_";',
    to: 'const WORD = "a-zA-Z0-9_";',
    test: "scoring/python.test.ts",
    only: "has the words, digits, spaces and borders of Unicode",
  },
  {
    name: "language drawn with a fixed seed",
    file: "scoring/languages/detectLanguages.ts",
    from: "new PythonRandom(seed)",
    to: "new PythonRandom(0)",
    test: "scoring/languages.test.ts",
    only: "hangs on the seed only in its digits",
  },
  {
    name: "one bad row loses the others",
    file: "scoring/scoringWork.ts",
    from: "return { result: { ...place, score: null, error: messageOf(error) } };",
    to: "throw error;",
    test: "scoring/scorers.test.ts",
    only: "judges each row as if it were alone",
  },
  {
    name: "data read for slots again",
    file: "scoring/judge/template.ts",
    from: 'return typeof value === "string" ? value : shown(value);',
    to: 'return typeof value === "string" ? filledTemplate(value, { ...row, [column]: "" }) : shown(value);',
    test: "scoring/judge.test.ts",
    only: "a judge's prompt",
  },
  {
    name: "a row without a verdict scores zero",
    file: "scoring/judge/judgeScorer.ts",
    from: "    score: null,\n    unjudged: true,\n    feedback",
    to: "    score: 0,\n    unjudged: true,\n    feedback",
    test: "scoring/judge.test.ts",
    only: "what fails for good is unjudged",
  },
  {
    name: "embeddings asked of another client",
    file: "scoring/autoevals/boundFunction.ts",
    from: 'answerSimilarity: name === "AnswerCorrectness"',
    to: 'answerSimilarity: name === "None"',
    test: "scoring/autoevals.test.ts",
    only: "AnswerCorrectness",
  },
  {
    name: "an interval of fixed draws",
    file: "scoring/aggregation/bootstrap.ts",
    from: "counts[random.int(rows)]!++;",
    to: "counts[drawn]!++;",
    test: "scoring/aggregations.test.ts",
    only: "intervals of the bootstrap",
  },
];
