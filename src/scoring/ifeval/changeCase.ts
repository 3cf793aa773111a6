import { isLower, isUpper } from "../python/index.js";
import { holds, instruction, relation, threshold } from "./instruction.js";
import { inLanguage, otherLanguageDraws } from "./responseLanguage.js";

/** Words in capitals among the tokens of NLTK, so `DON'T` counts as two and `A` as one. */
export const capitalWordFrequency = instruction(
  { capital_frequency: threshold, capital_relation: relation },
  ({ capital_frequency: limit, capital_relation: asked }) =>
    ({ tokens }) =>
      holds(tokens.filter(isUpper).length, asked, limit),
);

/** English in capitals. */
export const englishCapital = instruction(
  {},
  (_, seed) => inLanguage("en", seed, isUpper),
  (_, seed) => otherLanguageDraws("en", seed, isUpper),
);

/** English without a capital. */
export const englishLowercase = instruction(
  {},
  (_, seed) => inLanguage("en", seed, isLower),
  (_, seed) => otherLanguageDraws("en", seed, isLower),
);
