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
];
