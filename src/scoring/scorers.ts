import { sharedRegistry } from "../base/index.js";
import { AUTOEVALS, BRAINTRUST } from "./autoevals/autoevalsCatalogue.js";
import { autoevalsScorer } from "./autoevals/autoevalsScorer.js";
import { basicEqualityScorer } from "./basic/basicEquality.js";
import { basicIfevalScorer } from "./basic/basicIfeval.js";
import { docvqaScorer } from "./basic/docvqa.js";
import { equalityScorer } from "./basic/equality.js";
import { mathRegexScorer } from "./basic/mathRegex.js";
import { multipleChoiceScorer } from "./basic/multipleChoice.js";
import { multipleChoiceRegexScorer } from "./basic/multipleChoiceRegex.js";
import { accuracyScorer, randomScorer } from "./basic/seedScorers.js";
import { subsetOfScorer } from "./basic/subsetOf.js";
import { symbolicMathScorer } from "./basic/symbolicMath.js";
import { bfclScorer } from "./bfcl/bfclScorer.js";
import { ifevalScorer } from "./ifeval/ifevalScorer.js";
import { baseJudge, fivePointJudge, simpleqaJudge } from "./judge/presets.js";
import type { Scorer } from "./scorer.js";
import { jsonDifferenceScorer } from "./structure/jsonDifference.js";
import { jsonValidityScorer } from "./structure/jsonValidity.js";
import { bleuScorer } from "./text/bleuScorer.js";
import { chrfScorer } from "./text/chrfScorer.js";
import { exactMatchScorer } from "./text/exactMatch.js";
import { levenshteinScorer } from "./text/levenshtein.js";
import { numericDifferenceScorer } from "./text/numericDifference.js";
import { rougeLScorer, rougeNScorer } from "./text/rougeScorers.js";
import { tokenF1Scorer } from "./text/tokenF1.js";

const BUILT_IN: readonly Scorer[] = [
  equalityScorer,
  exactMatchScorer,
  multipleChoiceScorer,
  symbolicMathScorer,
  ifevalScorer,
  tokenF1Scorer,
  numericDifferenceScorer,
  levenshteinScorer,
  bleuScorer,
  chrfScorer,
  rougeLScorer,
  rougeNScorer,
  jsonValidityScorer,
  jsonDifferenceScorer,
  accuracyScorer,
  randomScorer,
  fivePointJudge,
  basicEqualityScorer,
  subsetOfScorer,
  multipleChoiceRegexScorer,
  mathRegexScorer,
  basicIfevalScorer,
  docvqaScorer,
  bfclScorer,
  baseJudge,
  simpleqaJudge,
  ...AUTOEVALS.map((entry) => autoevalsScorer(entry)),
  ...BRAINTRUST.map(({ name, entry, average }) =>
    autoevalsScorer(AUTOEVALS.find((known) => known.name === entry)!, { name, average }),
  ),
];

/** The scorers of this process, by name. */
export const scorers = sharedRegistry<Scorer>("scorer", (registry) => {
  for (const scorer of BUILT_IN) {
    registry.register(scorer.name, scorer, { description: scorer.description });
  }
});

/** Whether a scorer came with the program, so that every process and thread has the very same. */
export function isBuiltIn(scorer: Scorer): boolean {
  return BUILT_IN.includes(scorer);
}
